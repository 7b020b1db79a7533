// One analysis: the transcript and the configuration of the call in, a command for its stream out.
import type { Clock, Logger } from '@parlance/observability';
import { type Calls, reportedBy } from '../call/call-repository.js';
import type { Call } from '../call/call-state.js';
import type { Transcripts } from '../calls/transcripts.js';
import type { AnalysisJob } from './analysis-queue.js';
import type { AnalysisSettingsReader, SettingsOfCall } from './analysis-settings.js';
import type { ModelAnalyst } from './model/model-analyst.js';
import { analyzeByRules } from './rules/analyze.js';
import type { Analysis, AnalyzedTurn, Subject } from './subject.js';

export interface AnalyzerOptions {
  readonly calls: Pick<Calls, 'find' | 'handle'>;
  readonly transcripts: Pick<Transcripts, 'page'>;
  readonly settings: Pick<AnalysisSettingsReader, 'find'>;
  /** Absent where no language model is configured. */
  readonly model?: Pick<ModelAnalyst, 'analyze'> | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export type Method = 'rules' | 'model';

const turnsPerPage = 500;
/** More turns than a conversation has; a call that goes round in a circle is analyzed by its beginning. */
const maxTurns = 2_000;

const turnsOf = async (
  { transcripts }: AnalyzerOptions,
  organizationId: string,
  callId: string,
): Promise<readonly AnalyzedTurn[]> => {
  const turns: AnalyzedTurn[] = [];
  for (let after = -1; turns.length < maxTurns; ) {
    const page = (await transcripts.page(organizationId, callId, { after, limit: turnsPerPage })) ?? [];
    turns.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < turnsPerPage) break;
    after = last.seq;
  }
  return turns.slice(0, maxTurns);
};

const empty: Pick<Analysis, 'dataCollected' | 'evaluation' | 'summary'> = {
  dataCollected: {},
  evaluation: [],
  summary: null,
};

/** The job has nothing to do where the call was deleted, or was analyzed before. */
const isDue = (call: Call | undefined, { organizationId, ingestId }: AnalysisJob): call is Call =>
  call !== undefined &&
  call.description.organizationId === organizationId &&
  call.deletedAt === null &&
  call.people !== null &&
  call.ingested?.data.ingestId === ingestId &&
  call.ingested.data.analysisStatus === 'pending';

const subjectOf = (call: Call, settings: SettingsOfCall, turns: readonly AnalyzedTurn[]): Subject => ({
  language: settings.language,
  timezone: settings.timezone,
  dataNeeded: settings.dataNeeded,
  dataEvaluation: settings.dataEvaluation,
  startedAt: call.description.startedAt,
  turns,
});

export class CallAnalyzer {
  readonly #options: AnalyzerOptions;

  constructor(options: AnalyzerOptions) {
    this.#options = options;
  }

  /** What made the analysis; undefined where there was none to make. @throws where it has to be tried again */
  async analyze(job: AnalysisJob): Promise<Method | undefined> {
    const { calls, settings: reader, model, logger } = this.#options;
    const { callId, organizationId } = job;
    const call = await calls.find(callId);
    if (!isDue(call, job)) return undefined;
    const { agentId, configVersion } = call.description;
    const version = configVersion !== null && configVersion > 0 ? configVersion : null;
    const settings = await reader.find({ organizationId, agentId, version, requestId: job.ingestId });
    if (settings === undefined) {
      logger.info({ callId, agentId, version }, 'call analysis failed: no configuration');
      await this.#record(job, { ...empty, analysisStatus: 'failed', successful: null, model: null });
      return 'rules';
    }
    const subject = subjectOf(call, settings, await turnsOf(this.#options, organizationId, callId));
    const byRules = analyzeByRules(subject);
    const byModel = await model?.analyze(subject, { organizationId, model: settings.llmModel }, byRules);
    await this.#record(job, {
      ...(byModel?.analysis ?? byRules),
      analysisStatus: 'completed',
      model: byModel?.model ?? null,
    });
    return byModel === undefined ? 'rules' : 'model';
  }

  /** After the last try. The webhook goes out all the same. */
  async giveUp(job: AnalysisJob): Promise<void> {
    await this.#record(job, { ...empty, analysisStatus: 'failed', successful: null, model: null });
  }

  async #record(
    { callId, organizationId, ingestId }: AnalysisJob,
    result: Pick<Analysis, 'dataCollected' | 'evaluation' | 'summary'> & {
      readonly analysisStatus: 'completed' | 'failed';
      readonly successful: Analysis['successful'] | null;
      readonly model: string | null;
    },
  ): Promise<void> {
    const now = this.#options.clock.now().toISOString();
    const { analysisStatus, successful, model, ...personal } = result;
    await this.#options.calls.handle(
      callId,
      { type: 'RecordAnalysis', now, organizationId, ingestId, analysisStatus, successful, model, personal },
      // The id follows from the hand-over, so that a second append of the same result is none.
      reportedBy('calls-logs', { factId: `analysis:${ingestId}`, organizationId, occurredAt: now }),
    );
  }
}
