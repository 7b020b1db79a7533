import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

interface Row {
  readonly id: string;
  readonly service: string;
  readonly askedBy?: readonly string[];
  readonly formerly?: { readonly askedBy: readonly string[]; readonly upTo: string };
}

const file: string = fileURLToPath(new URL('service-graph.mjs', import.meta.url)); // plain JavaScript
const { formerProblems, graphProblems, orderProblems, withServiceGraph } = (await import(file)) as {
  readonly formerProblems: (rows: readonly Row[], releases: readonly string[]) => readonly string[];
  readonly graphProblems: (rows: readonly Row[]) => readonly string[];
  readonly orderProblems: (rows: readonly Row[], order: readonly string[]) => readonly string[];
  readonly withServiceGraph: (rows: readonly Row[], page: string) => string;
};

const row = (id: string, service: string, ...askedBy: string[]): Row => ({ id, service, askedBy });
const line = [row('tools.run', 'tools', 'calls'), row('secrets.open', 'secrets', 'tools')];

describe('graphProblems', () => {
  it('accepts a graph without a cycle, and operations that only the gateway asks', () => {
    expect(graphProblems([...line, { id: 'calls.list', service: 'calls' }])).toEqual([]);
  });

  it('names each arrow of a cycle with its requests and the way around', () => {
    const rows = [...line, row('calls.get', 'calls', 'secrets'), row('calls.end', 'calls', 'secrets')];
    expect(graphProblems(rows)).toEqual([
      'calls requests tools.run of tools, which closes a cycle: calls > tools > secrets > calls',
      'secrets requests calls.get, calls.end of calls, which closes a cycle: secrets > calls > tools > secrets',
      'tools requests secrets.open of secrets, which closes a cycle: tools > secrets > calls > tools',
    ]);
  });

  it('counts a service that requests something of itself as a cycle', () => {
    expect(graphProblems([row('calls.get', 'calls', 'calls')])).toEqual([
      'calls requests calls.get of calls, which closes a cycle: calls > calls',
    ]);
  });
});

describe('orderProblems', () => {
  const order = ['calls', 'tools', 'secrets'];

  it('accepts requests of services below, and of any by the gateway', () => {
    expect(orderProblems([...line, row('calls.list', 'calls', 'gateway')], order)).toEqual([]);
  });

  it('refuses a request of a service above', () => {
    const rows = [...line, row('calls.get', 'calls', 'secrets')];
    expect(orderProblems(rows, order)).toEqual([
      'secrets requests calls.get of calls, which is not below it in tools/check/service-order.txt',
    ]);
  });

  it('refuses a service without a place in the order', () => {
    expect(orderProblems(line, ['calls', 'secrets'])).toContain(
      'tools/check/service-order.txt has to list tools once',
    );
  });
});

describe('formerProblems', () => {
  const former = { ...row('calls.get', 'calls'), formerly: { askedBy: ['secrets'], upTo: '1.1.0' } };

  it('accepts a request of a release that may run beside this one, which is no arrow', () => {
    expect(formerProblems([...line, former], ['1.0.0', '1.1.0'])).toEqual([]);
    expect(formerProblems([former], ['1.1.0', '1.2.0'])).toEqual([]);
    expect(graphProblems([...line, former])).toEqual([]);
  });

  it('refuses a request of a release that no longer runs beside this one, and of an unknown one', () => {
    expect(formerProblems([former], ['1.1.0', '1.2.0', '1.3.0'])).toEqual([
      'calls.get is answered for 1.1.0, which no longer runs beside this release: remove the request',
    ]);
    expect(formerProblems([former], ['1.2.0'])).toEqual([
      'calls.get is answered for 1.1.0, which is no release',
    ]);
  });
});

describe('withServiceGraph', () => {
  const page = 'Before.\n\n<!-- generated: requests -->\nold\n<!-- end -->\n\nAfter.\n';

  it('draws a pair of services that request something of each other as one line, and leaves out the gateway', () => {
    const rows = [...line, row('calls.get', 'calls', 'tools', 'gateway')];
    const drawn = withServiceGraph(rows, page);
    expect(drawn).toContain('  calls <--> tools\n  tools --> secrets\n```');
    expect(drawn).not.toContain('gateway');
    expect(drawn).toMatch(/^Before\.\n[\s\S]*\nAfter\.\n$/);
    expect(withServiceGraph(rows, drawn)).toBe(drawn);
  });

  it('refuses a page without a place for the graph', () => {
    expect(() => withServiceGraph(line, 'no place')).toThrow(
      'the page has no place for the graph of requests',
    );
  });
});
