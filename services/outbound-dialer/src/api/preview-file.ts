// Reads a campaign's file as the campaign would, by the reader of campaigns and within a bound of time. The rows are
// thrown away with the answer.
import { type BatchPreview, type contract, type Input, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { storageOf } from '@parlance/object-storage';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { secondsToCall } from '../domain/campaign/campaign-estimate.js';
import { agentOfFile } from '../import/campaign-import.js';
import type { FileReading } from '../import/file-reading.js';
import { lookAtFile } from '../import/import-file.js';
import type { AgentOfFile, ImportedRow, ReadingBounds } from '../import/import-types.js';
import { findUpload } from '../import/uploads.js';
import { agentOfCall } from '../integration/agent-of-call.js';
import { settingsOf } from '../limits/organization-settings.js';
import { type CallingRules, callingHoursOf, callingRules } from '../rules/calling-hours.js';
import { checkStart } from '../rules/campaign-start.js';
import { mayCall } from '../rules/may-call.js';
import { countryOfCaller } from '../rules/phone-numbers.js';
import { type Whereabouts, whereaboutsOf } from '../rules/time-zones.js';
import { longestSeconds, worstCaseMicros } from '../rules/worst-case.js';
import { suppressedAmong } from '../suppressions/suppressed-numbers.js';
import { columnsShown, placeholdersShown, textWarnings } from './columns-shown.js';
import { sharedRulesOf } from './create-campaign.js';
import { GoodRows } from './good-rows.js';
import type { PreviewParts } from './preview-parts.js';

type Body = Input<typeof contract.outboundCallsPreviewBatch>['body'];

export interface PreviewAsked {
  readonly organizationId: string;
  readonly requestId: string;
  /** Ends the reading when no request waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly bounds: ReadingBounds;
}

/** The file as a stream, once the number and the upload are known to be the organization's. */
const openFile = async (
  { storage: configured, clock, askNumbers, limits }: PreviewParts,
  { fromNumber, sourceFileKey: key }: Body,
  { organizationId, signal }: PreviewAsked,
) => {
  const storage = storageOf(configured);
  const { number } = await askNumbers(organizationId, fromNumber);
  if (number === null) throw new AppError('NUMBER_NOT_FOUND');
  await findUpload(storage, { organizationId, key }, { maxBytes: limits.maxBytes, now: clock.now() });
  const stream = await storage.open(key, signal);
  if (stream === undefined) throw new AppError('UPLOAD_NOT_FOUND');
  return stream;
};

const readBounded = async (
  parts: PreviewParts,
  body: Body,
  asked: PreviewAsked,
  rows: GoodRows,
  agent: AgentOfFile,
): Promise<FileReading> => {
  const { ids, limits, allowedCountries } = parts;
  const { organizationId, signal, bounds } = asked;
  const stream = await openFile(parts, body, asked);
  const plan = {
    country: countryOfCaller(body.fromNumber),
    allowedCountries: await allowedCountries(organizationId, body.fromNumber),
  };
  const { duplicates } = sharedRulesOf(body);
  const { sourceFileName: fileName, columns } = body;
  const onBatch = async (batch: Parameters<GoodRows['take']>[0]): Promise<void> => rows.take(batch);
  return lookAtFile(
    // The reader names the calls of recipients after their campaign; these calls are never made.
    {
      campaignId: ids.next(),
      stream,
      fileName,
      plan,
      duplicates,
      limits,
      columns,
      agent,
      signal,
      suppressedAmong: suppressedAmong(parts, organizationId),
      onBatch,
    },
    bounds,
  );
};

const countRows = ({ outcome: { report }, refused }: FileReading): BatchPreview['rows'] => {
  const { DUPLICATE: duplicates, SUPPRESSED: suppressed, ...unusable } = refused;
  return { total: report?.rows ?? 0, good: report?.accepted ?? 0, duplicates, suppressed, unusable };
};

interface Clocks {
  readonly rules: CallingRules;
  /** The first call does not begin before. */
  readonly start: Date;
}

const openingOf = (rules: CallingRules, whereabouts: Whereabouts, start: Date): Date | undefined => {
  const decision = mayCall({ callingHours: callingHoursOf(rules, start)(whereabouts) });
  return decision.isAllowed ? start : decision.refusals[0].allowedAt;
};

const toSample = (
  { rowNumber, phoneNumber, timeZones, row }: ImportedRow,
  { rules, start }: Clocks,
): BatchPreview['sample'][number] => ({
  row: rowNumber,
  phoneNumber,
  country: parsePhoneNumberFromString(phoneNumber)?.country ?? null,
  timezones: [...timeZones],
  callableFrom: openingOf(rules, whereaboutsOf(timeZones, phoneNumber), start)?.toISOString() ?? null,
  name: row.username ?? null,
  variables: row.variables,
});

const clocksOf = async (
  { db, clock, askSettings }: PreviewParts,
  { callingWindow, timezone, scheduledAt }: Body,
  organizationId: string,
): Promise<Clocks> => {
  const now = clock.now();
  const settings = await settingsOf(db, askSettings, organizationId, now);
  const scheduled = scheduledAt == null ? now : new Date(scheduledAt);
  return {
    rules: callingRules(settings, {
      callingWindow: callingWindow ?? null,
      timezone: timezone ?? settings.timezone,
    }),
    start: scheduled > now ? scheduled : now,
  };
};

/**
 * Nothing is written anywhere but to a temporary file, which is deleted before the answer.
 * @throws AppError as the creation of a campaign does, and the signal's reason
 */
export const previewFile = async (
  parts: PreviewParts,
  body: Body,
  asked: PreviewAsked,
): Promise<BatchPreview> => {
  const { db, rpc, clock, callerFor, spend } = parts;
  const { organizationId, requestId } = asked;
  const { agentId } = body;
  checkStart(body.scheduledAt, clock.now().toISOString());
  const agent = await agentOfCall(parts, { organizationId, agentId, requestId });
  const context = { caller: callerFor(organizationId), requestId };
  const { data } = await rpc.call(serviceRequests.agentsPlaceholders, { body: { agentId } }, context);
  const { placeholders, impossible } = data;
  const texts = { placeholders, impossible, allowedOverrides: agent.allowedOverrides };
  const clocks = await clocksOf(parts, body, organizationId);
  const rates = await spend.rates(db);
  const rows = new GoodRows(rates);
  const file = agentOfFile(data, agent.allowedOverrides);
  const reading = await readBounded(parts, body, asked, rows, file);
  const { outcome, columns } = reading;
  const { retryPolicy, ...speed } = sharedRulesOf(body);
  const seconds = longestSeconds(agent.maxDurationSeconds, spend.maxCallSeconds);
  const counted = countRows(reading);
  return {
    complete: outcome.kind !== 'cut',
    refusal: outcome.kind === 'refused' ? outcome.refusal : null,
    columns: columnsShown(columns, texts),
    placeholders: placeholdersShown(columns, texts),
    rows: counted,
    sample: rows.first.map((row) => toSample(row, clocks)),
    errors: outcome.report?.errors ?? [],
    warnings: [...(outcome.report?.warnings ?? []), ...textWarnings(columns, texts)],
    cost: {
      currency: rates.currency,
      attempts: retryPolicy.maxAttempts,
      longestSeconds: seconds,
      worstCaseMicros: worstCaseMicros({ rateMicros: rows.rateMicros, seconds }) * retryPolicy.maxAttempts,
      unknownRates: rows.unknownRates,
    },
    estimate: { seconds: secondsToCall(counted.good, speed) },
  };
};
