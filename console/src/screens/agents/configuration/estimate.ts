// Cost and delay of the chosen models together, by the catalog. Pure.
import type { VoiceCatalog } from '@parlance/client';

type Models = Pick<VoiceCatalog, 'sttModels' | 'llmModels' | 'ttsModels'>;

/** Plain codes and "*" of the catalog, against the BCP 47 code of a configuration. */
export const offersLanguage = (languages: readonly string[], code: string | undefined): boolean => {
  const plain = code?.split('-')[0];
  return languages.some((language) => language === '*' || language === code || language === plain);
};

/** @returns undefined where the catalog does not know a price or a latency of one of them */
export const estimateOf = (
  { sttModels, llmModels, ttsModels }: Models,
  [stt, llm, tts]: readonly (string | undefined)[],
): { readonly costMicrosPerMinute: number; readonly latencyMs: number } | undefined => {
  const chosen = [
    sttModels.find(({ id }) => id === stt),
    llmModels.find(({ id }) => id === llm),
    ttsModels.find(({ id }) => id === tts),
  ];
  let [costMicrosPerMinute, latencyMs] = [0, 0];
  for (const model of chosen) {
    if (model === undefined || model.costMicrosPerMinute === null || model.typicalLatencyMs === null)
      return undefined;
    costMicrosPerMinute += model.costMicrosPerMinute;
    latencyMs += model.typicalLatencyMs;
  }
  return { costMicrosPerMinute, latencyMs };
};
