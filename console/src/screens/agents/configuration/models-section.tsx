// Models and the voice, with the prices and latencies that the catalog tells.
import type { VoiceCatalog } from '@parlance/client';
import { useWatch } from 'react-hook-form';
import { ComboField } from '../../../forms/combo-field.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { moneyText } from '../../../strings/format.js';
import { estimateOf, offersLanguage } from './estimate.js';
import { Section } from './sections.js';

type Model = VoiceCatalog['llmModels'][number];

const choiceOf =
  (currency: string) =>
  ({ id, name, provider, available, unavailableReason, costMicrosPerMinute, typicalLatencyMs }: Model) => ({
    value: id,
    label: available ? name : strings.notAvailable(name),
    remark:
      unavailableReason ??
      strings.modelRemark(
        provider,
        costMicrosPerMinute === null ? undefined : moneyText(costMicrosPerMinute, currency),
        typicalLatencyMs === null ? undefined : strings.latency(typicalLatencyMs),
      ),
  });

export const ModelsSection = ({ catalog }: { readonly catalog: VoiceCatalog }) => {
  const [stt, llm, tts, voiceId, language] = useWatch({
    name: ['sttModel', 'llmModel', 'ttsModel', 'voiceId', 'agent_language'],
  }) as readonly string[]; // fields of texts
  const { currency } = catalog;
  const estimate = estimateOf(catalog, [stt, llm, tts]);
  // The choice stays in the list, also where it no longer fits: the form says so when it is sent.
  const speaks = (
    { id, languages }: { id: string; languages: readonly string[] },
    chosen?: string,
  ): boolean => id === chosen || offersLanguage(languages, language);
  const voices = catalog.voices.filter(
    (voice) => voice.id === voiceId || (voice.ttsModels.includes(tts ?? '') && speaks(voice)),
  );
  return (
    <Section id="models" title={strings.models}>
      <div className="grid gap-4 sm:grid-cols-2">
        <ComboField
          name="sttModel"
          label={strings.setting.sttModel}
          choices={catalog.sttModels.filter((model) => speaks(model, stt)).map(choiceOf(currency))}
        />
        <ComboField
          name="llmModel"
          label={strings.setting.llmModel}
          choices={catalog.llmModels.map(choiceOf(currency))}
        />
        <ComboField
          name="ttsModel"
          label={strings.setting.ttsModel}
          choices={catalog.ttsModels.filter((model) => speaks(model, tts)).map(choiceOf(currency))}
        />
        <ComboField
          name="voiceId"
          label={strings.setting.voiceId}
          hint={strings.otherVoices}
          choices={voices.map(({ id, name, provider, accent, gender, available }) => ({
            value: id,
            label: available ? name : strings.notAvailable(name),
            remark: [provider, accent, gender].filter(Boolean).join(' · '),
          }))}
        />
      </div>
      <p className="text-ink-soft">
        {estimate === undefined
          ? strings.noEstimate
          : strings.estimate(
              moneyText(estimate.costMicrosPerMinute, currency),
              strings.latency(estimate.latencyMs),
            )}
      </p>
    </Section>
  );
};
