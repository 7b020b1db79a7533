// EventStoreDB or KurrentDB, as one process reaches it.
import { Secret } from '@parlance/config';
import { ShownReason } from '@parlance/observability';
import { causeInWords } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { seenTooOld, tooOld } from '../probe/supported.js';

const runbook = 'docs/runbooks/dependency-down.md';
const chapter = 'docs/operations.md';

const findings = {
  EVENT_STORE_UNREACHABLE: {
    severity: 'broken',
    says: 'The event store cannot be reached.',
    advice:
      'Start EventStoreDB, or correct EVENTSTORE_URL. Look at firewalls between this process and its nodes.',
    link: runbook,
  },
  EVENT_STORE_REFUSES: {
    severity: 'broken',
    says: 'The event store answers, and refuses requests that the platform needs.',
    advice:
      'Mend the cause that the reason names: the user, its rights, the certificate, or tls= in EVENTSTORE_URL.',
    link: chapter,
  },
  EVENT_STORE_TOO_OLD: tooOld('EventStoreDB'),
  EVENT_STORE_WITHOUT_LEADER: {
    severity: 'broken',
    says: 'The cluster of the event store has no leader.',
    advice: 'Start its nodes until a majority runs. No call begins until then.',
    link: runbook,
  },
  EVENT_STORE_NODE_LOST: {
    severity: 'broken',
    says: 'A node of the event store is lost.',
    advice: 'Start the node again. With one more loss the cluster takes no writes.',
    link: runbook,
  },
  EVENT_STORE_READ_ONLY: {
    severity: 'broken',
    says: 'A node of the event store is read-only because it has no leader.',
    advice: 'Look at the network between the nodes, and start those that are away.',
    link: runbook,
  },
  EVENT_STORE_DISK_NEARLY_FULL: {
    severity: 'soon',
    says: 'The disk of the event store is nearly full.',
    advice: 'Enlarge the disk of this node, or scavenge. An event store without room takes no events.',
    link: 'docs/operations.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const nearlyFullBelow = 0.1;
/** A share alone would call a large disk full that has room for years. */
const nearlyFullBelowBytes = 10 * 1024 ** 3;
const ends = new Set(['SHUTDOWN', 'SHUTTINGDOWN', 'RESIGNINGLEADER']);

const lookAtNodes = async (looking: Looking<Code>, url: Secret): Promise<void> => {
  const { clusterNodes } = await import('@parlance/event-sourcing');
  // A server that forbids this question is judged by the reads alone.
  const nodes = await clusterNodes(url).catch(() => []);
  if (nodes.length === 0) return;
  const managers = new Set(['MANAGER']);
  for (const { address, state, isAlive } of nodes.filter((node) => !managers.has(node.state))) {
    if (!isAlive || ends.has(state))
      looking.found('EVENT_STORE_NODE_LOST', {
        subject: address,
        seen: `The others call it ${isAlive ? state : 'dead'}.`,
      });
    else if (state === 'READONLYLEADERLESS')
      looking.found('EVENT_STORE_READ_ONLY', { subject: address, seen: `Its state is ${state}.` });
  }
  const isLed = nodes.some(({ state, isAlive }) => isAlive && state === 'LEADER');
  if (!isLed)
    looking.found('EVENT_STORE_WITHOUT_LEADER', {
      subject: 'the cluster',
      seen: `Its nodes are ${nodes.map(({ state }) => state).join(', ')}.`,
    });
  looking.note(`The event store has ${nodes.length === 1 ? 'one node' : `${nodes.length} nodes`}.`);
  await Promise.all(
    nodes.filter(({ isAlive }) => isAlive).map(({ address }) => lookAtDisk(looking, url, address)),
  );
};

const lookAtDisk = async (looking: Looking<Code>, url: Secret, address: string): Promise<void> => {
  const { nodeDisk } = await import('@parlance/event-sourcing');
  // Statistics may be forbidden to the user, and nodes may be known under names that only they know.
  const disk = await nodeDisk(url, address).catch(() => undefined);
  if (disk === undefined) return looking.note(`${address} does not tell the state of its disk.`);
  const { name, totalBytes, availableBytes } = disk;
  const share = availableBytes / totalBytes;
  const seen = `${Math.round(share * 100)} % of ${name} are free.`;
  if (share < nearlyFullBelow && availableBytes < nearlyFullBelowBytes)
    looking.found('EVENT_STORE_DISK_NEARLY_FULL', { subject: address, seen });
  else looking.note(`The disk of ${address} has room: ${seen}`);
};

export const eventStore = defineCheck<Code>({
  name: 'event-store',
  about:
    'The event store serves the reads of the platform, has a leader, all of its nodes are there, and their disks have room.',
  needs: ['EVENTSTORE_URL'],
  findings,
  load: () => import('@parlance/event-sourcing'),
  look: async (looking) => {
    const { checkEventStore, connectEventStore, storeAddress } = await import('@parlance/event-sourcing');
    const url = new Secret(looking.variables.EVENTSTORE_URL ?? '');
    const subject = storeAddress(url)
      .hosts.map(({ host, port }) => `${host}:${port}`)
      .join(', ');
    const store = connectEventStore({ url, name: 'doctor', deadlineMs: 4_000 });
    try {
      await lookAtNodes(looking, url);
      await checkEventStore(store);
      const version = await store.serverVersion();
      const old = seenTooOld('EventStoreDB', version);
      if (old !== undefined) looking.found('EVENT_STORE_TOO_OLD', { subject, seen: old });
      looking.note(`The event store is ${version}.`);
    } catch (error) {
      const isKnown = error instanceof ShownReason;
      const code = isKnown ? codeFor(error.message) : 'EVENT_STORE_UNREACHABLE';
      looking.found(code, { subject, seen: isKnown ? `${error.message}.` : causeInWords(error) });
    } finally {
      await store.close();
    }
  },
});

/** The reasons of the store's own check are sentences; two of them speak of nodes. */
const codeFor = (reason: string): Code => {
  if (reason.includes('no leader')) return 'EVENT_STORE_WITHOUT_LEADER';
  return reason.includes('no node') ? 'EVENT_STORE_UNREACHABLE' : 'EVENT_STORE_REFUSES';
};
