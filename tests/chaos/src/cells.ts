// Experiments one after the other in one world, because worlds are expensive. Calls that one experiment leaves in doubt
// remain for the next. The audit compares all of them with the phones' ledger at the end.
import { audit, unfinished, type Violation } from './audit.js';
import { auditCampaigns, readRecipients } from './campaign-audit.js';
import { type Lived, live } from './cell.js';
import type { Cell, Cells } from './cell-shapes.js';
import { endConversations } from './conversations.js';
import type { DialerProcess } from './dialer-process.js';
import { diceOf } from './dice.js';
import { DicedFaults } from './diced-faults.js';
import type { ChaosEngines } from './engines.js';
import { People } from './people.js';
import { begun, settled } from './settling.js';
import { type Tally, tallyOf } from './tally.js';
import type { Turns } from './turns.js';
import { startWorld, type World } from './world.js';

export interface CellsResult {
  readonly name: string;
  /** The number of cells that came to every point that they are about. */
  readonly complete: number;
  readonly reached: readonly string[];
  readonly missed: readonly string[];
  readonly tally: Tally;
  readonly violations: readonly Violation[];
}

/** Every call of a cell has been dialled once in this time, when all goes well. */
const beginMs = 10_000;

const liveAll = async (
  world: World,
  people: People,
  faults: DicedFaults,
  { cells }: Cells,
  onCell: (cell: Cell) => void,
): Promise<Lived[]> => {
  const lived: Lived[] = [];
  let alive: DialerProcess | undefined;
  for (const [index, cell] of cells.entries()) {
    faults.turnTo(cell.mode, diceOf(`${cell.seed}/provider`));
    const life = await live(world, people, cell, { before: alive, next: cells[index + 1]?.lives[0] });
    alive = life.survivor;
    lived.push(life);
    // These calls are dialled under this cell's fault, before the provider turns to the fault of the next cell.
    if (lived.length < cells.length) await begun(world, beginMs);
    onCell(cell);
  }
  return lived;
};

const conclude = async (
  world: World,
  people: People,
  { name, cells, settleMs, outcomeGraceMs }: Cells,
  lived: readonly Lived[],
): Promise<CellsResult> => {
  const recipients = cells.reduce((sum, cell) => sum + cell.recipients, 0);
  const isCampaign = cells.every((cell) => cell.isCampaign);
  const awaited = cells.some((cell) => cell.isCampaignCancelled)
    ? 'what there is'
    : isCampaign
      ? { recipients }
      : { calls: recipients };
  const isSettled = await settled(world, awaited, settleMs);
  const evidence = await world.evidence();
  const ofCampaigns = isCampaign
    ? auditCampaigns(await readRecipients(world.db), evidence, people.cancelledCampaigns)
    : [];
  const late = isSettled ? [] : unfinished(evidence);
  return {
    name,
    complete: lived.filter(({ missed }) => missed.length === 0).length,
    reached: lived.flatMap(({ reached }) => reached),
    missed: lived.flatMap(({ missed }) => missed),
    tally: tallyOf(evidence),
    violations: [...audit(evidence, outcomeGraceMs), ...late, ...ofCampaigns],
  };
};

/** Takes its turn while it is busy, and waits beside others for the calls to end. @param onCell told after each of them */
export const runCells = async (
  engines: ChaosEngines,
  turns: Turns,
  cells: Cells,
  onCell: (cell: Cell) => void = () => undefined,
): Promise<CellsResult> => {
  const [{ mode, seed }] = cells.cells;
  const faults = new DicedFaults(mode, diceOf(seed));
  const stops: (() => Promise<void>)[] = [];
  try {
    const { world, people, lived } = await turns.during(async () => {
      const world = await startWorld(engines, cells.name, faults);
      stops.push(() => world.stop());
      stops.unshift(endConversations(world));
      const people = new People(world);
      return { world, people, lived: await liveAll(world, people, faults, cells, onCell) };
    });
    return await conclude(world, people, cells, lived);
  } finally {
    for (const stop of stops) await stop();
  }
};
