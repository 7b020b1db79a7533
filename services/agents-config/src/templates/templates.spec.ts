import { describe, expect, it } from '@jest/globals';
import { AgentConfiguration } from '@parlance/contracts';
import { UrlRules } from '@parlance/egress';
import { AppError } from '@parlance/errors';
import { voiceCatalog } from '@parlance/models';
import { toDocument } from '../configuration/configuration-document.js';
import { checkConfiguration } from '../configuration/configuration-rules.js';
import { templateOf, templates } from './templates.js';

const configured = templates.flatMap(({ slug, configuration }) =>
  configuration ? [[slug, configuration] as const] : [],
);

describe('the templates', () => {
  it('are the four of the interface; only the blank one has no configuration', () => {
    expect(templates.map(({ slug }) => slug)).toEqual(['business', 'medical', 'support', 'blank']);
    expect(configured.map(([slug]) => slug)).toEqual(['business', 'medical', 'support']);
  });

  it('are found by slug and by uuid in either case', () => {
    for (const template of templates) {
      expect(templateOf(template.slug)).toBe(template);
      expect(templateOf(template.id.toUpperCase())).toBe(template);
    }
    expect(templateOf(null)).toBeUndefined();
  });

  it('are not found by any other uuid', () => {
    expect(() => templateOf('018f0000-0000-7000-8000-000000000009')).toThrow(
      new AppError('TEMPLATE_NOT_FOUND'),
    );
  });

  it('keep the uuids that callers may have written down', () => {
    expect(templates.map(({ id }) => id)).toEqual(
      [1, 2, 3, 4].map((number) => `0198c0de-0000-7000-8000-00000000000${number}`),
    );
  });
});

describe.each(configured)('the template %s', (_slug, configuration) => {
  it('could be saved as it is', () => {
    expect(() =>
      checkConfiguration(configuration, { catalog: voiceCatalog, urls: new UrlRules() }),
    ).not.toThrow();
    const now = '2026-11-01T00:00:00.000Z';
    const saved = {
      ...toDocument(configuration),
      agentId: voiceCatalog.version,
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    expect(AgentConfiguration.omit({ agentId: true }).safeParse(saved).error).toBeUndefined();
  });

  it('explains every placeholder that its texts use, and uses every variable that it explains', () => {
    const texts = JSON.stringify([
      configuration.firstMessage,
      configuration.systemPrompt,
      configuration.voicemail,
    ]);
    const used = new Set([...texts.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(configuration.variables).sort());
  });

  it('says something sensible where a variable has no value', () => {
    const texts = JSON.stringify([
      configuration.firstMessage,
      configuration.systemPrompt,
      configuration.voicemail,
    ]);
    for (const [placeholder] of texts.matchAll(/\{\{[^}]*\}\}/g)) expect(placeholder).toMatch(/\|\s*\S/);
  });

  it('says how to behave on a telephone, asks for data and judges the outcome', () => {
    expect(configuration.systemPrompt).toContain('How you speak:');
    expect(configuration.data_needed.length).toBeGreaterThanOrEqual(3);
    expect(configuration.data_evaluation.length).toBeGreaterThanOrEqual(2);
  });
});
