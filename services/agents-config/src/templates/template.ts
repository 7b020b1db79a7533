// The part of a configuration that a template sets; language, models and voice come from the catalog's defaults.
import type { AgentConfigurationInput } from '@parlance/contracts';
import type { z } from 'zod';

type Input = z.input<typeof AgentConfigurationInput>;

export type TemplateConfiguration = Pick<
  Input,
  | 'firstMessage'
  | 'systemPrompt'
  | 'data_needed'
  | 'data_evaluation'
  | 'variables'
  | 'voicemail'
  | 'recording'
  | 'limits'
>;
