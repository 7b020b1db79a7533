import { describe, expect, it } from '@jest/globals';
import {
  impossiblePlaceholders,
  impossiblePlaceholdersIn,
  placeholderProblem,
  placeholdersIn,
  systemNames,
  textsIn,
} from './placeholders.js';

describe('placeholders in a text', () => {
  it('are listed by name, with whether each occurrence has a fallback', () => {
    const texts = ['Hi {{name}}, {{ plan | basic }}', '{{name | there}} {{plan|}} {{system.date}}'];
    expect([...placeholdersIn(texts)]).toEqual([
      ['name', false],
      ['plan', true],
      ['system.date', false],
    ]);
  });

  it.each([
    '{{first-name}}',
    '{{First Name}}',
    '{{ first name | there }}',
    '{{ }}',
    '{{}}',
    '{{1st}}',
    '{{Größe}}',
    '{{имя}}',
    '{{名前}}',
    '{{$name}}',
    '{{#if name}}',
    '{{name.first}}',
    '{{system.caller}}',
    '{{System.date}}',
    '{{| there}}',
    '{{name}',
    `{{${'a'.repeat(65)}}}`,
  ])('are impossible when written as %s', (written) => {
    expect(impossiblePlaceholdersIn(`Hi ${written}, and ${written} again`)).toEqual([written]);
  });

  it.each([
    'no placeholder',
    '{{name}} {{ _a1 | there }} {{plan|}}',
    ...systemNames.map((name) => `{{system.${name}}}`),
    // References to secrets are judged by rules of their own.
    '{{secrets.API_KEY}} {{ secrets.x-y }}',
    // JSON of a prompt, and braces that are no placeholder.
    'Answer with {{"name": "Ada"}} or {{["a"]}}',
    '{name} { {name} } }} {{ a line\nbreak }}',
  ])('are possible in "%s"', (text) => {
    expect(impossiblePlaceholdersIn(text)).toEqual([]);
  });

  it.each([
    ['{{first-name}}', 'such as {{first_name}}'],
    ['{{ First Name | there }}', 'such as {{First_Name}}'],
    ['{{name', 'such as {{name}}'],
    ['{{System.date}}', 'system. and one of: agentId, '],
  ])('that are impossible come with what to write instead of %s', (written, advice) => {
    expect(placeholderProblem(written)).toContain(`${written} can have no value; `);
    expect(placeholderProblem(written)).toContain(advice);
  });

  it.each(['{{ }}', '{{имя}}', '{{Größe}}', `{{${'-'.repeat(190)}}}`])(
    'without a name that could be meant get no example: %s',
    (written) => {
      expect(placeholderProblem(written)).not.toContain('such as');
      expect(placeholderProblem(written).length).toBeLessThan(200);
    },
  );

  it('are found at any depth of a JSON value, and never in its keys', () => {
    const body = { a: ['{{first-name}}', 7, null], '{{b-c}}': { d: '{{name}}' } };
    expect(impossiblePlaceholders(textsIn(body, 'body'))).toEqual([
      { path: 'body.a.0', written: '{{first-name}}', message: placeholderProblem('{{first-name}}') },
    ]);
  });
});
