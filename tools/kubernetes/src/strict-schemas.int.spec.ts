// The manifests against the published schemas of several versions of Kubernetes, with unknown fields refused. The schemas are in
// Kubernetes' own Go module: `go mod download k8s.io/kubernetes@v1.34.2`. Skipped where no version of it is in the module cache.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { type Manifest, nameOf } from './chart/manifest.js';
import { currentSubject } from './index.js';

const modules = join(homedir(), 'go/pkg/mod/k8s.io');
const versions = (existsSync(modules) ? readdirSync(modules) : [])
  .filter((name) => /^kubernetes@v1\.\d+\.\d+$/.test(name))
  .filter((name) => existsSync(join(modules, name, 'api/openapi-spec/swagger.json')));

const Definition = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  'x-kubernetes-group-version-kind': z
    .array(z.object({ group: z.string(), version: z.string(), kind: z.string() }))
    .optional(),
});
const Specification = z.looseObject({ definitions: z.record(z.string(), Definition) });

const ofOperators = ['gateway.networking.k8s.io', 'keda.sh'];

const isFreeForm = (name: string): boolean => /\.(Quantity|IntOrString)$/.test(name);

const validators = (version: string) => {
  const text = readFileSync(join(modules, version, 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = Specification.parse(JSON.parse(text));
  const strict = Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => {
      if (isFreeForm(name)) return [name, { type: ['string', 'number'] }];
      return [
        name,
        definition.properties === undefined ? definition : { ...definition, additionalProperties: false },
      ];
    }),
  );
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
  ajv.addSchema({ $id: 'kubernetes', definitions: strict });
  return (manifest: Manifest): readonly string[] => {
    const [group = '', apiVersion = ''] = ['', ...String(manifest.apiVersion).split('/')].slice(-2);
    const [name] =
      Object.entries(definitions).find(([, definition]) =>
        definition['x-kubernetes-group-version-kind']?.some(
          (one) => one.group === group && one.version === apiVersion && one.kind === manifest.kind,
        ),
      ) ?? [];
    // the schemas of operators' kinds are in check/schemas.ts
    if (name === undefined)
      return ofOperators.includes(group) ? [] : [`${manifest.kind} is no kind of ${version}`];
    const validate = ajv.getSchema(`kubernetes#/definitions/${name}`);
    if (validate?.(manifest) === true) return [];
    return (validate?.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${manifest.kind} ${nameOf(manifest)}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
};

(versions.length === 0 ? describe.skip : describe)('the schemas of Kubernetes', () => {
  const { renderings } = currentSubject();

  it.each(versions)('of %s accept every object of the plain manifests, field by field', (version) => {
    const problemsOf = validators(version);
    expect(Object.values(renderings).flat().flatMap(problemsOf)).toEqual([]);
  });

  it.each(versions)('of %s refuse a field that they do not know', (version) => {
    const problemsOf = validators(version);
    const copies = structuredClone((renderings.production ?? []).filter(({ kind }) => kind === 'Deployment'));
    for (const copy of copies) Reflect.set(Reflect.get(copy, 'spec'), 'replica', 1);
    expect(copies.flatMap(problemsOf).join()).toContain('"additionalProperty":"replica"');
  });
});
