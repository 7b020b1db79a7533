// A reader of a long list keeps their place while others change the list. A change costs the same for any number of pages.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { askEnd, askWhole, catchUp, lookAgain, type Place, takeNewRows } from './list-looks.js';
import { type ListPages, rowsOf, withNext } from './list-pages.js';

interface Call {
  readonly id: string;
  readonly state: string;
}

const pageSize = 10;
const idAt = (number: number): string => `c${number}`;

/** Calls at the platform, newest first; a cursor is the last id that was told. */
let calls: Call[];
let asked: (string | undefined)[];
let list: ListPages<Call> | undefined;
let place: Place | undefined;

const askPage = async (cursor: string | undefined) => {
  asked.push(cursor);
  // As a keyset: rows older than the last row, also where that row is deleted by now.
  const numberOf = (id: string): number => Number(id.slice(1));
  const older = cursor === undefined ? calls : calls.filter(({ id }) => numberOf(id) < numberOf(cursor));
  const rows = older.slice(0, pageSize);
  return { rows, nextCursor: older.length > pageSize ? rows.at(-1)?.id : undefined };
};
const held = (): ListPages<Call> | undefined => list;
const look = async (): Promise<void> => {
  list = await lookAgain(held, () => place, askPage);
};
const load = async (pages: number): Promise<void> => {
  await look();
  for (let count = 1; count < pages; count += 1) {
    const cursor = list?.pages.at(-1)?.nextCursor;
    if (list === undefined || cursor === undefined) throw new Error('the list is shorter');
    list = withNext(list, cursor, await askPage(cursor));
  }
  asked = [];
};
const shown = (): readonly string[] => (list === undefined ? [] : rowsOf(list).map(({ id }) => id));
const stateOf = (id: string): string | undefined =>
  list && rowsOf(list).find((call) => call.id === id)?.state;
const change = (...ids: readonly string[]): void => {
  calls = calls.map((call) => (ids.includes(call.id) ? { ...call, state: 'ended' } : call));
};
const arrive = (from: number, to: number): void => {
  for (let number = from; number <= to; number += 1) calls.unshift({ id: idAt(number), state: 'rings' });
};
const readsAt = (...ids: readonly string[]): void => {
  place = { shown: () => new Set(ids), isAway: () => true };
};
const readsTheTop = (): void => {
  place = { shown: () => new Set([idAt(999), idAt(998)]), isAway: () => false };
};

describe('a long list', () => {
  beforeEach(() => {
    calls = Array.from({ length: 1_000 }, (_, index) => ({ id: idAt(999 - index), state: 'rings' }));
    [asked, list, place] = [[], undefined, undefined];
  });

  it.each([2, 20, 90])('of %i loaded pages costs two requests when something changes', async (pages) => {
    await load(pages);
    readsAt(idAt(985), idAt(986));
    change(idAt(985));
    await look();
    expect(asked).toEqual([undefined, idAt(990)]);
    expect(stateOf(idAt(985))).toBe('ended');
  });

  it('moves no row of a reader further below; new ones wait, and are counted once', async () => {
    await load(5);
    readsAt(idAt(960));
    const before = shown();
    arrive(1_000, 1_002);
    await look();
    await look();
    expect(shown()).toEqual(before);
    expect(list?.waiting).toEqual([idAt(1_002), idAt(1_001), idAt(1_000)]);
    list = await takeNewRows(held, askPage);
    expect(shown()).toEqual(calls.slice(0, pageSize).map(({ id }) => id));
    expect(list.waiting).toEqual([]);
    await look();
    expect(list?.pages).toHaveLength(1);
  });

  it('says that more rows wait than a page has', async () => {
    await load(3);
    readsAt(idAt(980));
    arrive(1_000, 1_030);
    await look();
    expect([list?.waiting.length, list?.moreWait]).toEqual([pageSize, true]);
    expect(shown()).toHaveLength(3 * pageSize);
  });

  it('shows new rows at once while its beginning is in view', async () => {
    await load(4);
    readsTheTop();
    arrive(1_000, 1_000);
    await look();
    expect(shown()[0]).toBe(idAt(1_000));
    expect(asked).toEqual([undefined]);
  });

  it('keeps its pages while its beginning is in view and nothing is new', async () => {
    await load(4);
    readsTheTop();
    change(idAt(999));
    await look();
    expect(stateOf(idAt(999))).toBe('ended');
    expect(shown()).toHaveLength(4 * pageSize);
  });

  it('asks a page that a look has left out once, when it comes into view', async () => {
    await load(6);
    readsAt(idAt(985));
    change(idAt(955));
    await look();
    expect(stateOf(idAt(955))).toBe('rings');
    asked = [];
    const there = new Set([idAt(955)]);
    list = (await catchUp(held, there, askPage)) ?? list;
    expect(stateOf(idAt(955))).toBe('ended');
    expect(await catchUp(held, there, askPage)).toBeUndefined();
    expect(asked).toEqual([idAt(960)]);
  });

  it('loses deleted rows, and skips and repeats none behind them', async () => {
    await load(2);
    readsAt(idAt(985), idAt(995));
    calls = calls.filter(({ id }) => id !== idAt(995) && id !== idAt(980));
    await look();
    expect(shown()).not.toContain(idAt(995));
    const cursor = list?.pages.at(-1)?.nextCursor ?? '';
    if (list !== undefined) list = withNext(list, cursor, await askPage(cursor));
    const known = shown();
    expect(known).toEqual([...new Set(known)]);
    for (const { id } of calls.slice(0, 25)) expect(known).toContain(id);
  });

  it('knows its own end, and what comes behind it', async () => {
    calls = calls.slice(0, 15);
    await load(2);
    readsAt(idAt(985));
    expect(list?.pages.at(-1)?.nextCursor).toBeUndefined();
    calls.push({ id: idAt(984), state: 'found again' });
    await look();
    expect(shown().at(-1)).toBe(idAt(984));
  });

  it('keeps a page that was loaded while it was asked', async () => {
    await load(2);
    readsAt(idAt(985));
    const looking = lookAgain(held, () => place, askPage);
    const cursor = list?.pages.at(-1)?.nextCursor ?? '';
    if (list !== undefined) list = withNext(list, cursor, await askPage(cursor));
    list = await looking;
    expect(list.pages).toHaveLength(3);
  });

  it('stays as it is for somebody who comes back to it, until their place is known', async () => {
    await load(5);
    arrive(1_000, 1_000);
    await look();
    expect(asked).toEqual([undefined]);
    expect(shown()).toHaveLength(5 * pageSize);
    expect(list?.waiting).toEqual([idAt(1_000)]);
  });

  it('without a place is asked as a whole', async () => {
    await load(3);
    change(idAt(975));
    list = await askWhole(held, askPage);
    expect(stateOf(idAt(975))).toBe('ended');
    expect(asked).toHaveLength(3);
  });
});

interface Line {
  readonly id: string;
  readonly text: string;
}

const linesOfPage = 100;

describe('a list that grows at its end', () => {
  /** Lines of a talk by their numbers; a cursor is the number of the last line that was told. */
  let lines: Map<number, string>;
  let questions: (string | undefined)[];
  let talk: ListPages<Line> | undefined;

  const askLines = async (cursor: string | undefined) => {
    questions.push(cursor);
    const later = [...lines.keys()].sort((a, b) => a - b).filter((seq) => seq > Number(cursor ?? -1));
    const rows = later.slice(0, linesOfPage).map((seq) => ({ id: String(seq), text: lines.get(seq) ?? '' }));
    return { rows, nextCursor: later.length > linesOfPage ? rows.at(-1)?.id : undefined };
  };
  const heldTalk = (): ListPages<Line> | undefined => talk;
  const lookAt = async (edition = 'live'): Promise<void> => {
    talk = await askEnd(heldTalk, edition, askLines);
  };
  const next = async (): Promise<void> => {
    const cursor = talk?.pages.at(-1)?.nextCursor;
    if (talk === undefined || cursor === undefined) throw new Error('the talk is shorter');
    talk = withNext(talk, cursor, await askLines(cursor));
  };
  const say = (from: number, to: number): void => {
    for (let seq = from; seq <= to; seq += 1) lines.set(seq, 'said');
  };
  const hearAll = async (): Promise<void> => {
    await lookAt();
    while (talk?.pages.at(-1)?.nextCursor !== undefined) await next();
    questions = [];
  };
  /** A talk of so many lines, all of them loaded. */
  const hear = async (count: number): Promise<void> => {
    say(0, count - 1);
    await hearAll();
  };
  const heard = (): readonly string[] => talk?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)) ?? [];
  const textOf = (seq: number): string | undefined =>
    talk?.pages.flatMap(({ rows }) => rows).find(({ id }) => id === String(seq))?.text;
  const numbers = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, seq) => String(seq));

  beforeEach(() => {
    [lines, questions, talk] = [new Map(), [], undefined];
  });

  it.each([
    [150, [99]],
    [9_950, [9_899]],
    [205, [99, 199]],
    [9_905, [9_799, 9_899]],
  ] as const)('of %i lines shows the next one at the cost of its end', async (count, asked) => {
    await hear(count);
    say(count, count);
    await lookAt();
    expect(questions).toEqual(asked.map(String));
    expect(heard()).toEqual(numbers(count + 1));
  });

  it('grows by pages, which are loaded once', async () => {
    await hear(100);
    say(100, 249);
    await lookAt();
    await next();
    await next();
    expect(questions).toEqual([undefined, '99', '199']);
    expect(heard()).toEqual(numbers(250));
  });

  it.each([250, 201])('of %i lines shows one of the newest that is corrected', async (count) => {
    await hear(count);
    lines.set(count - 2, 'corrected');
    await lookAt();
    expect(textOf(count - 2)).toBe('corrected');
  });

  it('skips and repeats no line where one arrives late and moves the others to the next page', async () => {
    say(0, 109);
    lines.delete(95);
    await hearAll();
    lines.set(95, 'late');
    await lookAt();
    expect(heard()).toEqual(numbers(110));
  });

  it('keeps a page that was loaded while it was asked', async () => {
    await hear(50);
    say(50, 349);
    await lookAt();
    let answer = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const looking = askEnd(heldTalk, 'live', (cursor) => slow.then(() => askLines(cursor)));
    await next();
    await next();
    answer();
    talk = await looking;
    expect(heard()).toEqual(numbers(300));
  });

  it('is asked as a whole once, where another edition replaces it', async () => {
    await hear(450);
    lines.set(0, 'as it was handed over');
    await lookAt();
    expect(textOf(0)).toBe('said');
    questions = [];
    await lookAt('handed over');
    expect([questions.length, textOf(0)]).toEqual([5, 'as it was handed over']);
    questions = [];
    await lookAt('handed over');
    expect(questions).toHaveLength(1);
  });
});

describe('a list of rows without ids', () => {
  it('knows them by their row of the file', async () => {
    const rows = [{ rowNumber: 2 }, { rowNumber: 3 }];
    const nothing = () => undefined;
    const list = await lookAgain<object>(nothing, nothing, async () => ({ rows, nextCursor: undefined }));
    expect(rowsOf(list)).toEqual(rows);
  });
});
