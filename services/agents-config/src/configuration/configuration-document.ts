// The stored form of a configuration: the input with its shorthands written out.
import type { AgentConfiguration, AgentConfigurationInput } from '@parlance/contracts';
import type { z } from 'zod';

/** A configuration as it was sent, checked, with its defaults. */
export type Configuration = z.output<typeof AgentConfigurationInput>;

/** The stored form: all that readers see but which agent and version it is of, and when it was saved. */
export type ConfigurationDocument = Omit<
  AgentConfiguration,
  'agentId' | 'version' | 'createdAt' | 'updatedAt' | 'warnings'
>;

/**
 * Leaves the lock of the save out, and writes plain string variables as defaults. Collects the keys of the caller's own
 * (`x_`) under `extra`.
 */
export const toDocument = (configuration: Configuration): ConfigurationDocument => {
  const { expectedVersion, ...settings } = configuration;
  const entries = Object.entries(settings);
  const own = entries.filter(([key]) => key.startsWith('x_'));
  const known = Object.fromEntries(entries.filter(([key]) => !key.startsWith('x_')));
  const variables = Object.entries(configuration.variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? { default: value } : value,
  ]);
  // The input schema lets nothing else through, so `known` holds exactly the fields of the stored form.
  return {
    ...known,
    variables: Object.fromEntries(variables),
    extra: { ...configuration.extra, ...Object.fromEntries(own) },
  } as ConfigurationDocument;
};
