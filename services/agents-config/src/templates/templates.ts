// The templates of new agents. Three of the templates are configurations that a business could take calls with; the
// blank one has none.
import { AgentConfigurationInput, templateSlugs } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { defaults } from '@parlance/models';
import type { Configuration } from '../configuration/configuration-document.js';
import { business } from './business.js';
import { medical } from './medical.js';
import { support } from './support.js';
import type { TemplateConfiguration } from './template.js';

type Slug = (typeof templateSlugs)[number];

export interface Template {
  readonly slug: Slug;
  readonly id: string;
  /** Undefined: the agent starts without a configuration. */
  readonly configuration: Configuration | undefined;
}

// Part of the interface: a caller may have written one of these down.
const ids: Readonly<Record<Slug, string>> = {
  business: '0198c0de-0000-7000-8000-000000000001',
  medical: '0198c0de-0000-7000-8000-000000000002',
  support: '0198c0de-0000-7000-8000-000000000003',
  blank: '0198c0de-0000-7000-8000-000000000004',
};

const complete = (configuration: TemplateConfiguration): Configuration =>
  AgentConfigurationInput.parse({ ...defaults, ...configuration });

const configurations: Readonly<Record<Slug, Configuration | undefined>> = {
  business: complete(business),
  medical: complete(medical),
  support: complete(support),
  blank: undefined,
};

export const templates: readonly Template[] = templateSlugs.map((slug) => ({
  slug,
  id: ids[slug],
  configuration: configurations[slug],
}));

/** The template by slug or uuid; undefined for none. @throws AppError TEMPLATE_NOT_FOUND */
export const templateOf = (idOrSlug: string | null | undefined): Template | undefined => {
  if (idOrSlug === null || idOrSlug === undefined) return undefined;
  const template = templates.find(({ id, slug }) => id === idOrSlug.toLowerCase() || slug === idOrSlug);
  if (!template) throw new AppError('TEMPLATE_NOT_FOUND');
  return template;
};
