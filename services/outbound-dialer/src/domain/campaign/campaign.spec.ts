// The commands that each phase of a campaign allows, and their events.
import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/event-sourcing';
import { given } from '@parlance/fixtures/deciders';
import {
  begun,
  campaignCommands as commands,
  created,
  campaignHistories as histories,
  paused,
  report,
} from '../../testing/campaign-histories.js';
import { at } from '../../testing/histories.js';
import { campaignDecider } from './campaign.js';
import type { CampaignEvent } from './campaign-events.js';

const campaign = given(campaignDecider);
const now = at(6_000);

/** Events by type, nothing (`-`), or the code of a refusal. */
const table: Readonly<Record<keyof typeof histories, Readonly<Record<keyof typeof commands, string>>>> = {
  absent: {
    ...{ CreateCampaign: 'CampaignCreated', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: '-', ResumeCampaign: '-', CompleteCampaign: '-' },
    CancelCampaign: 'CAMPAIGN_NOT_FOUND',
  },
  validating: {
    ...{ CreateCampaign: '-', RecordImport: 'FileImported', RefuseFile: 'FileRefused', StartCampaign: '-' },
    ...{ PauseCampaign: '-', ResumeCampaign: '-', CompleteCampaign: '-' },
    CancelCampaign: 'CampaignCancelled',
  },
  failed: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: '-', ResumeCampaign: '-', CompleteCampaign: '-' },
    CancelCampaign: 'CAMPAIGN_NOT_CANCELLABLE',
  },
  scheduled: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: 'CampaignStarted' },
    ...{ PauseCampaign: '-', ResumeCampaign: '-', CompleteCampaign: '-' },
    CancelCampaign: 'CampaignCancelled',
  },
  running: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: 'CampaignPaused', ResumeCampaign: '-', CompleteCampaign: 'CampaignCompleted' },
    CancelCampaign: 'CampaignCancelled',
  },
  paused: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: 'CampaignPaused', ResumeCampaign: 'CampaignResumed' },
    ...{ CompleteCampaign: 'CampaignCompleted', CancelCampaign: 'CampaignCancelled' },
  },
  resumed: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: 'CampaignPaused', ResumeCampaign: '-', CompleteCampaign: 'CampaignCompleted' },
    CancelCampaign: 'CampaignCancelled',
  },
  completed: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: '-', ResumeCampaign: '-', CompleteCampaign: '-' },
    CancelCampaign: 'CAMPAIGN_NOT_CANCELLABLE',
  },
  cancelled: {
    ...{ CreateCampaign: '-', RecordImport: '-', RefuseFile: '-', StartCampaign: '-' },
    ...{ PauseCampaign: '-', ResumeCampaign: '-', CompleteCampaign: '-', CancelCampaign: '-' },
  },
};

const cells = Object.entries(table).flatMap(([phase, row]) =>
  Object.entries(row).map(([command, outcome]) => [phase, command, outcome] as const),
);

const decided = (phase: string, command: string): string => {
  // Both are keys of the table above, which has a cell for each.
  const history: readonly CampaignEvent[] = histories[phase as keyof typeof histories];
  const state = fold(campaignDecider, history);
  try {
    const events = campaignDecider.decide(commands[command as keyof typeof commands], state);
    return events.map(({ type }) => type).join(', ') || '-';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'threw something else';
  }
};

describe('a campaign', () => {
  it.each(cells)('that is %s answers %s with %s', (phase, command, outcome) => {
    expect(decided(phase, command)).toBe(outcome);
  });

  it('does not start before it is due', () => {
    campaign(...histories.scheduled)
      .when({ type: 'StartCampaign', now: at(599.999) })
      .thenNothing();
    campaign(...histories.scheduled)
      .when({ type: 'StartCampaign', now: at(600) })
      .then({ type: 'CampaignStarted', data: { startedAt: at(600) } });
  });

  it('without a time starts as soon as its file was read', () => {
    campaign({ ...created, data: { ...created.data, scheduledAt: null } }, ...histories.scheduled.slice(1))
      .when({ type: 'StartCampaign', now: at(11) })
      .then({ type: 'CampaignStarted', data: { startedAt: at(11) } });
  });

  it('whose file has nobody to call fails, and says what was wrong with the rows', () => {
    const empty = { ...report, accepted: 0, rejected: 4 };
    campaign(created)
      .when({ ...commands.RecordImport, report: empty })
      .thenState((state) =>
        expect(state).toMatchObject({ phase: 'failed', code: 'FILE_INVALID', file: empty, failedAt: now }),
      );
  });

  it('is paused once for one reason, and again for another', () => {
    const { reason, until } = { reason: 'outside_calling_window', until: at(4_000) } as const;
    campaign(...histories.paused)
      .when({ type: 'PauseCampaign', reason, until, now })
      .thenNothing();
    campaign(...histories.paused)
      .when({ type: 'PauseCampaign', reason, until: at(9_000), now })
      .thenState((state) => expect(state).toMatchObject({ phase: 'paused', until: at(9_000) }));
  });

  it('knows after a pause why it was, and when it first began', () => {
    expect(fold(campaignDecider, histories.resumed)).toMatchObject({
      phase: 'running',
      startedAt: at(600),
      resumed: { after: 'outside_calling_window', at: at(4_000) },
    });
  });

  it('of another organization does not exist', () => {
    campaign(...histories.running)
      .when({ type: 'CancelCampaign', organizationId: 'org_2', now })
      .thenRefused('CAMPAIGN_NOT_FOUND');
    campaign(created)
      .when({ ...commands.CreateCampaign, created: { ...created.data, organizationId: 'org_2' } })
      .thenRefused('CONFLICT');
  });

  it('is not changed by events that do not fit its phase', () => {
    for (const event of [begun, paused])
      expect(campaignDecider.evolve(fold(campaignDecider, [created]), event)).toMatchObject({
        phase: 'validating',
      });
    expect(campaignDecider.evolve({ phase: 'absent' }, begun)).toEqual({ phase: 'absent' });
  });
});
