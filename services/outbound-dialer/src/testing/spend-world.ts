// For tests: calls of one organization as dialers, people and accidents make them, with the real decisions about
// streams, prices and reservations. The books have to be in order after every step.
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import type { OutboundCallCommand } from '../domain/outbound-call/outbound-call.js';
import { outboundCallDecider } from '../domain/outbound-call/outbound-call.js';
import type { OutboundCallEvent } from '../domain/outbound-call/outbound-call-events.js';
import type { OutboundCall } from '../domain/outbound-call/outbound-call-state.js';
import { wantedCall } from '../ledger/call-spending.js';
import { callSubject, type Spending, type Wanted } from '../ledger/ledger.js';
import { isInTime } from '../ledger/let-through.js';
import { unlimitedInstallation } from '../ledger/operator-spend.js';
import { type CallEvent, cleared, isLetThrough } from '../ledger/settling.js';
import { sumChanges } from '../ledger/totals.js';
import { dayOf, utcDayOf } from '../rules/calendar.js';
import { costMicros, worstCaseMicros } from '../rules/worst-case.js';
import { agentId, organizationId, personal } from './histories.js';
import type { LedgerPort, LedgerRow } from './memory-ledger.js';
import type { Step } from './spend-steps.js';

interface Call {
  readonly id: string;
  readonly isCampaigns: boolean;
  readonly rateMicros: number;
  readonly seconds: number;
  state: OutboundCall;
  /** A dialer has the call in hand, so the sweep does not clear away its reservation. */
  isHeld: boolean;
  /** An attempt that a dialer began and has not let through yet. */
  asleep: { readonly attempt: number; readonly deadlineAt: string } | null;
}

const campaignId = '018f0000-0000-7000-8000-00000000ca11';
const unit = 1_000_000;
/** Limits that a handful of calls reaches. */
const most = {
  dayMicros: 60 * unit,
  monthMicros: 150 * unit,
  campaignMicros: 40 * unit,
  quickMicros: 45 * unit,
  installation: unlimitedInstallation,
};
const callsOfEach = 5;
const maxCallSeconds = 600;
const minute = 60_000;

const idOf = (run: string, index: number): string =>
  `018f0000-0000-7000-${run}-${String(index).padStart(12, '0')}`;

export class SpendWorld {
  readonly #ledger: LedgerPort;
  readonly #calls: readonly Call[];
  readonly #log: CallEvent[] = [];
  readonly #dialled = new Set<string>();
  #followed = 0;
  #now = new Date('2026-03-31T22:30:00.000Z');

  /** @param run four hexadecimal digits: two worlds on one ledger share no call */
  constructor(ledger: LedgerPort, run = '8000') {
    this.#ledger = ledger;
    this.#calls = Array.from({ length: 2 * callsOfEach }, (_, index) => ({
      ...{ id: idOf(run, index), isCampaigns: index >= callsOfEach, state: outboundCallDecider.initialState },
      ...{
        rateMicros: (1 + (index % 3)) * unit,
        seconds: 60 * (1 + (index % 7)),
        isHeld: false,
        asleep: null,
      },
    }));
  }

  get now(): Date {
    return this.#now;
  }

  async take({ what, which, dies }: Step): Promise<void> {
    const call = this.#calls[which % this.#calls.length];
    if (call === undefined) return;
    switch (what) {
      case 'wish':
        return this.#wish(call, dies);
      case 'claim':
        return this.#claim(1 + (which % 4), dies);
      case 'start':
        return this.#start(call, dies);
      case 'wake':
        return this.#letThrough(call, 0);
      case 'retry':
        return this.#retry(call, dies);
      case 'follow':
        return this.#follow(1 + which, dies);
      case 'sweep':
        return this.#sweep();
      case 'tick':
        this.#pass(which * 37_000);
        return;
      default:
        this.#happen(call, what, which);
    }
  }

  /** Ends every call that was begun, and gives the follower and the sweep the time to clear up. */
  async finish(): Promise<void> {
    for (const call of this.#calls) {
      call.isHeld = false;
      call.asleep = null;
      this.#pass(minute);
      this.#happen(call, 'cancel', 0);
      this.#happen(call, 'hangUp', 0);
    }
    await this.#follow(this.#log.length, 0);
    this.#pass(20 * minute);
    await this.#sweep();
  }

  /** The faults of the books now. */
  async faults(): Promise<readonly string[]> {
    const rows = await this.#ledger.rows();
    const totals = await this.#ledger.totals();
    const counted = sumChanges(rows.map(changeOf));
    const figures = (list: readonly object[]) =>
      list
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n');
    // The totals keep the days of a reservation that was released, so days are not compared.
    const amounts = totals.map(({ first_day: _, last_day: __, ...row }) => row).filter(isAnything);
    const wanted = counted.map(({ first_day: _, last_day: __, ...row }) => row).filter(isAnything);
    const sums = figures(amounts) === figures(wanted) ? [] : ['the totals are not the sums of the rows'];
    const over = totals.flatMap((row) => {
      const used = row.calls_spent + row.calls_reserved + row.numbers_spent + row.numbers_reserved;
      return used > mostOf[row.period] ? [`${row.period} ${row.key} is over its limit: ${used}`] : [];
    });
    const open = rows.filter(({ settledMicros }) => settledMicros === null);
    const unpaid = this.#calls
      .filter((call) => this.#isUnpaid(call, open))
      .map(({ id }) => `${id} is not paid`);
    return [...sums, ...over, ...unpaid];
  }

  /** After `finish`: the reservations that are still open, and any difference between the paid and the owed money. */
  async leftovers(): Promise<readonly string[]> {
    const rows = await this.#ledger.rows();
    const open = rows.filter(({ settledMicros }) => settledMicros === null);
    const paid = rows.reduce((sum, { settledMicros }) => sum + (settledMicros ?? 0), 0);
    const owed = this.#calls.reduce((sum, call) => sum + this.#owed(call), 0);
    return [
      ...open.map(({ subject }) => `${subject} has outlived its call`),
      ...(paid === owed ? [] : [`${paid} was paid for calls that cost ${owed}`]),
    ];
  }

  #spending({ isCampaigns }: Pick<Call, 'isCampaigns'>): Spending {
    return {
      organizationId,
      kind: 'call',
      campaignId: isCampaigns ? campaignId : null,
      isQuick: !isCampaigns,
      day: dayOf('UTC', this.#now),
      utcDay: utcDayOf(this.#now),
      currency: 'USD',
      most,
    };
  }

  #wanted({ id, isCampaigns, rateMicros, seconds }: Call, attempt: number, isRenewed = !isCampaigns): Wanted {
    const call = { outboundCallId: id, attempt, isRenewed, phoneNumber: '', longestSeconds: seconds };
    return wantedCall(call, { microsPerStartedMinute: () => rateMicros }, maxCallSeconds);
  }

  async #wish(call: Call, dies: number): Promise<void> {
    if (call.isCampaigns || call.state.phase !== 'absent') return;
    const wanted = this.#wanted(call, 1);
    const granted = await this.#ledger.reserve(this.#spending(call), [wanted], this.#now);
    if (granted.has(wanted.subject) && dies !== 1) this.#place(call);
  }

  async #claim(count: number, dies: number): Promise<void> {
    const due = this.#calls.filter((call) => call.isCampaigns && !call.isHeld && this.#isDue(call));
    const claimed = due.slice(0, count).map((call) => ({ call, wanted: this.#wanted(call, nextOf(call)) }));
    const first = claimed[0];
    if (first === undefined) return;
    const wanted = claimed.map((one) => one.wanted);
    const granted = await this.#ledger.reserve(this.#spending(first.call), wanted, this.#now);
    for (const { call, wanted: own } of claimed) call.isHeld = granted.has(own.subject) && dies !== 1;
  }

  async #start(call: Call, dies: number): Promise<void> {
    if (call.isCampaigns && !call.isHeld) return;
    call.isHeld = false;
    if (call.isCampaigns && call.state.phase === 'absent') this.#place(call);
    if (call.state.phase !== 'queued') return;
    const attempt = nextOf(call);
    const deadlineAt = this.#at(100_000);
    const started = this.#do(call, {
      ...{ type: 'StartAttempt', attempt, ...attemptIds(call.id, attempt), deadlineAt, now: this.#at(0) },
    });
    if (!started) return;
    call.asleep = { attempt, deadlineAt };
    if (dies !== 1) await this.#letThrough(call, dies);
  }

  /** Does as the dialer does: asks for the money first, then checks that the attempt is still its own. */
  async #letThrough(call: Call, dies: number): Promise<void> {
    const { asleep } = call;
    call.asleep = null;
    if (asleep === null || !isInTime(asleep, this.#now)) return;
    const { attempt } = asleep;
    let seconds = await this.#ledger.letThrough(call.id, attempt);
    if (seconds === null && !call.isCampaigns) {
      await this.#ledger.reserve(this.#spending(call), [this.#wanted(call, attempt)], this.#now);
      seconds = await this.#ledger.letThrough(call.id, attempt);
    }
    if (dies === 1 || call.state.phase !== 'dialing' || call.state.current.attempt !== attempt) return;
    const { attemptId } = call.state.current;
    if (seconds === null) {
      const retryAt = call.isCampaigns ? this.#at(0) : null;
      this.#do(call, {
        type: 'Abandon',
        attemptId,
        reason: 'insufficient_balance',
        retryAt,
        now: this.#at(0),
      });
      return;
    }
    this.#dialled.add(callSubject(call.id, attempt));
  }

  async #retry(call: Call, dies: number): Promise<void> {
    const { state } = call;
    if (state.phase !== 'ended' || state.status === 'cancelled' || state.status === 'completed') return;
    const wanted = this.#wanted(call, nextOf(call), true);
    const granted = await this.#ledger.reserve(this.#spending(call), [wanted], this.#now);
    if (!granted.has(wanted.subject) || dies === 1) return;
    const agent = { agentName: 'Ada', configVersion: 2, longestSeconds: call.seconds };
    const retryId = `retry-${state.retryIds.length + 1}`;
    this.#do(call, { type: 'RetryCall', organizationId, retryId, ...agent, now: this.#at(0) });
  }

  /** A follower that dies early has done nothing. A follower that dies late gets the same events again. */
  async #follow(count: number, dies: number): Promise<void> {
    if (dies === 1) return;
    await this.#ledger.follow(this.#log.slice(this.#followed, this.#followed + count), this.#now);
    if (dies === 2)
      await this.#ledger.follow(this.#log.slice(this.#followed, this.#followed + count), this.#now);
    this.#followed = Math.min(this.#log.length, this.#followed + count);
  }

  async #sweep(): Promise<void> {
    for (const row of await this.#ledger.rows()) {
      const call = this.#calls.find(({ id }) => id === row.call.outboundCallId);
      if (call === undefined || row.settledMicros !== null || !this.#isLeft(row, call)) continue;
      const what = cleared(row.call, call.state);
      if (what === 'release') await this.#ledger.release([row.subject], row.reservedAt);
      else if (what !== 'keep') await this.#ledger.settle(what, this.#now);
    }
  }

  /** The filter of `leftCalls`. */
  #isLeft({ call: open, reservedAt }: LedgerRow, { state, isHeld }: Call): boolean {
    const isOver = state.phase === 'ended' || (state.phase === 'queued' && !open.isRenewed);
    if (isLetThrough(open)) return isOver && this.#now.getTime() - Date.parse(state.updatedAt) >= 10 * minute;
    const isIdle = !isHeld && this.#now.getTime() - reservedAt.getTime() >= minute;
    return isIdle && (state.phase === 'absent' || isOver);
  }

  #happen(call: Call, what: Step['what'], which: number): void {
    const { state } = call;
    const now = this.#at(0);
    if (what === 'cancel') {
      const isOpen = state.phase !== 'absent' && state.phase !== 'ended';
      if (isOpen) this.#do(call, { type: 'CancelCall', organizationId, reason: 'cancelled_by_user', now });
    }
    if (state.phase === 'ended' && state.hangUp !== null && what === 'hangUp')
      this.#do(call, { type: 'RecordHangUp', attemptId: state.hangUp.attemptId, now });
    if (state.phase !== 'dialing' && state.phase !== 'connected') return;
    const { attemptId, callId, attempt } = state.current;
    const isDialled = this.#dialled.has(callSubject(call.id, attempt));
    if (what === 'giveUp' && now >= state.current.deadlineAt)
      this.#do(call, { type: 'GiveUp', attemptId, now });
    const refusal = { endedReason: 'busy', sipStatus: 486, providerCode: null } as const;
    if (what === 'refuse')
      this.#do(call, { type: 'RecordRefusal', attemptId, status: 'busy', ...refusal, retryAt: null, now });
    const later = { endedReason: 'provider_rejected', sipStatus: 429, providerCode: null } as const;
    if (what === 'tryAgain')
      this.#do(call, { type: 'RecordRefusal', attemptId, status: 'failed', ...later, retryAt: now, now });
    if (!isDialled) return;
    if (what === 'answer') this.#do(call, { type: 'RecordAnswer', attemptId, providerCallId: null, now });
    if (what === 'end') {
      const answeredAt = state.phase === 'connected' ? state.current.answeredAt : now;
      const endedAt = this.#at(which * 10_000);
      const end = { status: 'completed', outcome: 'answered', endedReason: 'user_hangup' } as const;
      const facts = {
        ...end,
        answeredBy: null,
        answeredAt,
        endedAt,
        durationSeconds: null,
        costMicros: null,
      };
      this.#do(call, { type: 'SettleCall', callId, facts, now });
    }
  }

  #place(call: Call): void {
    const { isCampaigns, seconds } = call;
    const about = { organizationId, agentId, agentName: 'Ada', configVersion: 1, provider: null, sid: null };
    const policy = { maxAttempts: 3, delaySeconds: 30, on: ['busy', 'no_answer', 'failed'] as const };
    this.#do(call, {
      type: 'PlaceCall',
      placed: {
        ...{ ...about, mode: isCampaigns ? 'batch' : 'quick', campaignId: isCampaigns ? campaignId : null },
        ...{ rowNumber: null, ringingTimeoutSeconds: 30, longestSeconds: seconds, placedAt: this.#at(0) },
        retryPolicy: isCampaigns ? { ...policy, on: [...policy.on] } : null,
      },
      personal: { ...personal, dynamicVariables: {}, metadata: {} },
    });
  }

  /** @returns whether the command led to an event */
  #do(call: Call, command: OutboundCallCommand): boolean {
    const events: readonly OutboundCallEvent[] = outboundCallDecider.decide(command, call.state);
    for (const event of events) {
      call.state = outboundCallDecider.evolve(call.state, event);
      this.#log.push({ entityId: call.id, event });
    }
    return events.length > 0;
  }

  #isDue({ state }: Call): boolean {
    if (state.phase === 'queued') return state.retryIds.length === 0 && state.notBefore <= this.#at(0);
    return state.phase === 'absent';
  }

  /** The call was dialled and is in progress, and no open reservation covers it. */
  #isUnpaid({ id, state }: Call, open: readonly LedgerRow[]): boolean {
    if (state.phase !== 'dialing' && state.phase !== 'connected') return false;
    const { attempt } = state.current;
    if (!this.#dialled.has(callSubject(id, attempt))) return false;
    return !open.some(({ call }) => call.outboundCallId === id && call.dialledAttempt === attempt);
  }

  /** The cost of the call by its stream, without a look at the ledger. */
  #owed({ id, rateMicros, seconds }: Call): number {
    const price = { rateMicros, seconds };
    const answers = new Map<string, string>();
    let owed = 0;
    for (const { entityId, event } of this.#log) {
      if (entityId !== id) continue;
      if (event.type === 'AttemptAnswered') answers.set(event.data.attemptId, event.data.answeredAt);
      if (event.type === 'AttemptOutcomeUnknown' && this.#wasDialled(id, event.data.attemptId))
        owed += worstCaseMicros(price);
      if (event.type !== 'AttemptEnded' && event.type !== 'AttemptHungUp') continue;
      const { attemptId } = event.data;
      const isEnd = event.type === 'AttemptEnded';
      const answeredAt = (isEnd ? event.data.answeredAt : null) ?? answers.get(attemptId);
      if (answeredAt === undefined) continue;
      owed += costMicros(price, answeredAt, isEnd ? event.data.endedAt : event.data.hungUpAt);
    }
    return owed;
  }

  #wasDialled(id: string, attemptId: string): boolean {
    return [...this.#dialled].some((subject) => {
      const attempt = Number(subject.split(':')[2]);
      return subject.startsWith(`call:${id}:`) && attemptIds(id, attempt).attemptId === attemptId;
    });
  }

  #at(laterMs: number): string {
    return new Date(this.#now.getTime() + laterMs).toISOString();
  }

  #pass(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }
}

const mostOf = {
  day: most.dayMicros,
  month: most.monthMicros,
  campaign: most.campaignMicros,
  quick: most.quickMicros,
};

const nextOf = ({ state }: Call): number =>
  state.phase === 'queued' || state.phase === 'ended' ? state.past.length + 1 : 1;

const changeOf = ({ settledMicros, micros, ...row }: LedgerRow) => ({
  ...row,
  spentMicros: settledMicros ?? 0,
  reservedMicros: settledMicros === null ? micros : 0,
});

const isAnything = (row: { calls_spent: number; calls_reserved: number }): boolean =>
  row.calls_spent !== 0 || row.calls_reserved !== 0;
