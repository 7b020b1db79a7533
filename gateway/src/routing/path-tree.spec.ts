import { describe, expect, it } from '@jest/globals';
import { operations } from '@parlance/contracts';
import { PathTree } from './path-tree.js';

const treeOf = (...paths: readonly string[]): PathTree<string> => {
  const tree = new PathTree<string>();
  for (const path of paths) tree.add(path, path);
  return tree;
};

describe('PathTree', () => {
  const tree = treeOf(
    '/calls',
    '/calls/live',
    '/calls/{callId}',
    '/calls/{id}/end',
    '/calls/live/{id}/audio',
  );

  it.each([
    ['/calls', '/calls', {}],
    ['/calls/live', '/calls/live', {}],
    ['/calls/c1', '/calls/{callId}', { callId: 'c1' }],
    ['/calls/c%201/end', '/calls/{id}/end', { id: 'c%201' }],
    ['/calls/live/l1/audio', '/calls/live/{id}/audio', { id: 'l1' }],
  ])('finds %s at %s', (path, value, params) => {
    expect(tree.find(path)).toEqual({ value, params });
  });

  it('takes a parameter where a fixed segment leads nowhere', () => {
    expect(tree.find('/calls/live/end')).toEqual({ value: '/calls/{id}/end', params: { id: 'live' } });
  });

  it.each([
    '/',
    '/call',
    '/Calls',
    '/calls/',
    '/calls//end',
    '/calls/c1/end/',
    '/calls/c1/other',
    '/__proto__',
  ])('finds nothing at %s', (path) => {
    expect(tree.find(path)).toBeUndefined();
  });

  it('finds each path of the contract as itself', () => {
    const paths = operations.map(({ path }) => path as string);
    const contract = treeOf(...paths);
    for (const path of paths) expect(contract.find(path)?.value).toBe(path);
  });
});
