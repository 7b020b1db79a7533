import { expect, it } from '@jest/globals';
import { outline } from './outline.js';

it('writes a document with a line for each field down to a depth', () => {
  const document = {
    openapi: '3.1.1',
    tags: [{ name: 'Calls' }],
    paths: { '/calls': { get: { responses: {} } } },
    none: null,
    empty: {},
  };
  const text = outline(document, 3);
  expect(JSON.parse(text)).toEqual(document);
  expect(text.split('\n')).toEqual([
    '{',
    '"openapi": "3.1.1",',
    '"tags": [{"name":"Calls"}],',
    '"paths": {',
    '"/calls": {',
    '"get": {"responses":{}}',
    '}',
    '},',
    '"none": null,',
    '"empty": {}',
    '}',
  ]);
});
