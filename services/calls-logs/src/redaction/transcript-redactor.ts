// Replaces personal data in what a runtime reports, before any of it is stored. What the caller's configuration hides is hidden
// here too when the runtime is another one than ours.
import type { IngestInput, TranscriptTurn } from '@parlance/contracts';
import {
  namesInVariables,
  personalKinds,
  type RedactionOptions,
  redact,
  redactJson,
  redactTurns,
} from '@parlance/redaction';
import type { AnalysisSettingsReader, SettingsOfCall } from '../analysis/analysis-settings.js';
import type { ToolRun } from '../call/call-events.js';

/** The call that something is reported of. */
export interface ReportedCall {
  readonly organizationId: string;
  readonly agentId: string;
  /** Null where the report names none: the version in force stands for it. */
  readonly version: number | null;
  readonly requestId: string;
}

type Turn = Pick<TranscriptTurn, 'role' | 'text' | 'spokenText' | 'toolCall'>;

/** The version of a deleted agent cannot be read any more, and may have hidden anything. */
const hideAll: Pick<SettingsOfCall, 'language' | 'timezone' | 'personalKinds'> = {
  language: 'en',
  timezone: 'UTC',
  personalKinds: [...personalKinds],
};

const textOrNull = (text: string | null | undefined, options: RedactionOptions): string | null =>
  text ? redact(text, options).text : null;

const errorOf = (error: IngestInput['error'], options: RedactionOptions): IngestInput['error'] =>
  error?.detail === undefined ? error : { ...error, detail: redact(error.detail, options).text };

export class TranscriptRedactor {
  readonly #settings: Pick<AnalysisSettingsReader, 'find'>;

  constructor(settings: Pick<AnalysisSettingsReader, 'find'>) {
    this.#settings = settings;
  }

  /** Redacts turns of one report, in their order. @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
  async forTurns(call: ReportedCall): Promise<<T extends Turn>(turns: readonly T[]) => readonly T[]> {
    const options = await this.#optionsOf(call);
    return options === undefined ? (turns) => turns : (turns) => redactTurns(turns, options);
  }

  /** Redacts the arguments and results of tools that the platform ran. @throws as `forTurns` does */
  async forToolRuns(call: ReportedCall): Promise<(run: ToolRun) => ToolRun> {
    const options = await this.#optionsOf(call);
    if (options === undefined) return (run) => run;
    return (run) => ({
      ...run,
      arguments: redactJson(run.arguments, options) as ToolRun['arguments'],
      ...(run.result !== undefined && { result: redactJson(run.result, options) as ToolRun['result'] }),
    });
  }

  /** Leaves the recording out, because it has what the transcript hides. @throws as `forTurns` does */
  async handOver(body: IngestInput, requestId: string): Promise<IngestInput> {
    const { organizationId, agentId, configVersion } = body;
    const found = await this.#optionsOf({
      organizationId,
      agentId,
      version: configVersion ?? null,
      requestId,
    });
    if (found === undefined) return body;
    const options = { ...found, names: namesInVariables(body.dynamicVariables) };
    return {
      ...body,
      transcript: redactTurns(
        body.transcript.toSorted((a, b) => a.seq - b.seq),
        options,
      ),
      recording: null,
      error: errorOf(body.error, options),
      summary: textOrNull(body.summary, options),
      dataCollected: redactJson(body.dataCollected, options) as IngestInput['dataCollected'],
      evaluation: body.evaluation.map((one) => ({ ...one, rationale: textOrNull(one.rationale, options) })),
    };
  }

  async #optionsOf(call: ReportedCall): Promise<RedactionOptions | undefined> {
    const { language, timezone, personalKinds: kinds = [] } = (await this.#settings.find(call)) ?? hideAll;
    return kinds.length === 0 ? undefined : { language, timezone, kinds };
  }
}
