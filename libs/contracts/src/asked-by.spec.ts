import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type Callable,
  contract,
  mayAsk,
  type ServiceName,
  type ServiceRequest,
  serviceNames,
  serviceRequests,
} from './index.js';

const root = new URL('../../../', import.meta.url);
const folderOf = (service: ServiceName): string => (service === 'gateway' ? service : `services/${service}`);

/** The sources of a folder, without tests and their helpers. */
const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(`${folder}/src`, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !/(^|\/)testing\//.test(path))
    .map((path) => readFileSync(new URL(`${folder}/src/${path}`, root), 'utf8'));

const libs = readdirSync(new URL('libs', root)).filter((lib) => !['contracts', 'testing'].includes(lib));
const sourcesOfLibs = libs.flatMap((lib) => sourcesIn(`libs/${lib}`));
const sourcesOf = new Map(serviceNames.map((service) => [service, sourcesIn(folderOf(service))]));

/** True for a source that takes the row out of its table, at once or by its name. */
const takes = (source: string, table: string, key: string): boolean =>
  source.includes(key) &&
  (new RegExp(`\\b${table}\\s*\\.\\s*${key}\\b`).test(source) ||
    new RegExp(`\\{[^}]*\\b${key}\\b[^}]*\\} = ${table}\\b`).test(source));

const exportedBy = (source: string): readonly string[] =>
  [...source.matchAll(/^export (?:const|class|async function|function) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

const importedNames = new Map<string, readonly string[]>();
const importedBy = (source: string): readonly string[] => {
  const known = importedNames.get(source);
  if (known !== undefined) return known;
  const names = [...source.matchAll(/^import [^;]*\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim()),
  );
  importedNames.set(source, names);
  return names;
};
const imports = (source: string, names: ReadonlySet<string>): boolean =>
  names.size > 0 && importedBy(source).some((name) => names.has(name));

/** The exports of libs that lead to the row: the files that take it, and those that use these. */
const leadingTo = (table: string, key: string): ReadonlySet<string> => {
  const names = new Set(sourcesOfLibs.filter((source) => takes(source, table, key)).flatMap(exportedBy));
  for (let known = -1; known < names.size; ) {
    known = names.size;
    for (const source of sourcesOfLibs)
      if (known > 0 && imports(source, names)) for (const name of exportedBy(source)) names.add(name);
  }
  return names;
};

/** Services that take the row themselves, or through a lib. */
const takers = (table: string, key: string): readonly ServiceName[] => {
  const names = leadingTo(table, key);
  const uses = (source: string): boolean => takes(source, table, key) || imports(source, names);
  return serviceNames.filter((service) => sourcesOf.get(service)?.some(uses));
};

describe('who asks whom', () => {
  const requests: readonly (readonly [string, ServiceRequest])[] = Object.entries(serviceRequests);

  it.each(requests)('%s is asked by the services of its row alone', (key, row) => {
    const others = takers('serviceRequests', key).filter((service) => service !== row.service);
    const former: readonly ServiceName[] = row.formerly?.askedBy ?? [];
    const present = others.filter((service) => row.askedBy.includes(service) || !former.includes(service));
    expect(present.toSorted()).toEqual([...row.askedBy].toSorted());
  });

  it('lists the services that ask an operation, besides the gateway', () => {
    const rows: readonly (readonly [string, Callable])[] = Object.entries(contract);
    for (const [key, row] of rows) {
      const askers = takers('contract', key).filter((name) => name !== row.service && name !== 'gateway');
      const asked = askers.filter((service) => row.askedBy?.includes(service));
      // Others take the types of a row.
      expect([key, asked.toSorted()]).toEqual([key, [...(row.askedBy ?? [])].toSorted()]);
    }
  });

  it('lets the gateway ask operations, and no request between services that is not its own', () => {
    expect(mayAsk('gateway', contract.agentsCreate)).toBe(true);
    expect(mayAsk('gateway', serviceRequests.secretsSealed)).toBe(false);
    expect(mayAsk('knowledge', contract.agentsCreate)).toBe(false);
    expect(mayAsk('widgets', contract.callsIngest)).toBe(true);
  });
});
