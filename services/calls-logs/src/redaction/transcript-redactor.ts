// Replaces personal data in what a runtime reports, before any of it is stored. What the caller's configuration hides is hidden
// here too when the runtime is another one than ours.
import type { IngestInput, TranscriptTurn } from '@parlance/contracts';
import { personalKinds, type RedactionOptions, redact, redactJson } from '@parlance/redaction';
import type { AnalysisSettingsReader, SettingsOfCall } from '../analysis/analysis-settings.js';

/** The call that something is reported of. */
export interface ReportedCall {
  readonly organizationId: string;
  readonly agentId: string;
  /** Null where the report names none: the version in force stands for it. */
  readonly version: number | null;
  readonly requestId: string;
}

type Turn = Pick<TranscriptTurn, 'text' | 'spokenText' | 'toolCall'>;

/** The version of a deleted agent cannot be read any more, and may have hidden anything. */
const hideAll: Pick<SettingsOfCall, 'language' | 'timezone' | 'personalKinds'> = {
  language: 'en',
  timezone: 'UTC',
  personalKinds: [...personalKinds],
};

const redactTurn = <T extends Turn>(turn: T, options: RedactionOptions): T => {
  const { text, spokenText, toolCall } = turn;
  return {
    ...turn,
    text: redact(text, options).text,
    spokenText: spokenText === null ? null : redact(spokenText, options).text,
    toolCall: toolCall && {
      ...toolCall,
      arguments: redactJson(toolCall.arguments, options),
      result: redactJson(toolCall.result, options),
    },
  };
};

const textOrNull = (text: string | null | undefined, options: RedactionOptions): string | null =>
  text ? redact(text, options).text : null;

/** Names that came with the call, such as the callee's from a campaign. */
const namesIn = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).flatMap(([key, value]) => (/name/i.test(key) ? [value] : []));

export class TranscriptRedactor {
  readonly #settings: Pick<AnalysisSettingsReader, 'find'>;

  constructor(settings: Pick<AnalysisSettingsReader, 'find'>) {
    this.#settings = settings;
  }

  /** @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
  async forTurns(call: ReportedCall): Promise<<T extends Turn>(turn: T) => T> {
    const options = await this.#optionsOf(call);
    return options === undefined ? (turn) => turn : (turn) => redactTurn(turn, options);
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
    const options = { ...found, names: namesIn(body.dynamicVariables) };
    return {
      ...body,
      transcript: body.transcript.map((turn) => redactTurn(turn, options)),
      recording: null,
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
