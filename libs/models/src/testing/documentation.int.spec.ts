import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { catalogModels } from '../catalog/models.js';
import { keyVariables, splitId } from '../catalog/vendors.js';
import { parseModelsFile } from '../operator/models-file.js';

const page = await readFile(new URL('../../../../docs/models.md', import.meta.url), 'utf8');

it('docs/models.md names the variable of every key, and every vendor', () => {
  for (const variable of keyVariables) expect(page).toContain(`| \`${variable}\` |`);
  const vendors = catalogModels
    .filter(({ option }) => option.available)
    .map(({ option }) => splitId(option.id).vendor);
  for (const vendor of new Set(vendors)) expect(page).toContain(`\`${vendor}/*\``);
  const withoutPlugin = catalogModels.filter(({ option }) => option.unavailableReason?.includes('no plugin'));
  for (const { option } of withoutPlugin) expect(page).toContain(option.provider);
});

it('docs/models.md has an example that is accepted', () => {
  const example = /```json\n(.+?)```/s.exec(page)?.[1] ?? '';
  expect(parseModelsFile(example, 'example.json').models).toHaveLength(2);
});
