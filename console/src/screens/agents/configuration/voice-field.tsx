// The voice of the agent: the voices of the speaking model, by language, with a sample.
import type { VoiceCatalog } from '@parlance/client';
import { useState } from 'react';
import { Guarded } from '../../../app/permission.js';
import { Button } from '../../../components/button.js';
import { CopyAsCurl } from '../../../components/copy-as-curl.js';
import { ErrorNote } from '../../../components/error-note.js';
import { FieldShell } from '../../../components/field-shell.js';
import { ModelTestResult } from '../../../components/model-test-result.js';
import { useCommand } from '../../../data/commands.js';
import { ComboField } from '../../../forms/combo-field.js';
import { configurationStrings as strings } from '../../../strings/agent-configuration.js';
import { offersLanguage } from './estimate.js';
import { isCustom } from './model-choices.js';

const ofAgent = 'agent';
const any = '*';

interface Chosen {
  readonly ttsModel: string | undefined;
  readonly voiceId: string | undefined;
  readonly language: string | undefined;
}

const Sample = ({ ttsModel, voiceId, language }: Chosen) => {
  const test = useCommand('models.test', { invalidates: [] });
  if (ttsModel === undefined || voiceId === undefined) return null;
  const body = { modelId: ttsModel, voiceId, ...(language === undefined ? {} : { language }) };
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="flex gap-2">
        <Guarded operation="models.test">
          {/* The failure is shown below. */}
          <Button
            busy={test.isPending}
            onClick={() => void test.mutateAsync({ body }).catch(() => undefined)}
          >
            {strings.listen}
          </Button>
        </Guarded>
        <CopyAsCurl operation="models.test" parts={{ body }} />
      </div>
      <p className="text-xs text-ink-soft">{strings.listenHint}</p>
      <div aria-live="polite" className="w-full">
        {test.error !== null && <ErrorNote error={test.error} />}
        {test.data !== undefined && <ModelTestResult test={test.data.data} />}
      </div>
    </div>
  );
};

export const VoiceField = ({
  catalog: { voices, languages },
  ...chosen
}: { readonly catalog: VoiceCatalog } & Chosen) => {
  const { ttsModel = '', voiceId, language } = chosen;
  const [filter, setFilter] = useState(ofAgent);
  const wanted = filter === ofAgent ? language : filter;
  const ofModel = voices.filter(({ ttsModels }) => ttsModels.includes(ttsModel));
  const spoken = languages.filter(({ code }) => ofModel.some((voice) => voice.languages.includes(code)));
  // The choice stays in the list, also where it no longer fits: the form says so when it is sent.
  const shown = voices.filter(
    (voice) =>
      voice.id === voiceId ||
      (ofModel.includes(voice) && (wanted === any || offersLanguage(voice.languages, wanted))),
  );
  return (
    <div className="flex flex-col gap-2">
      <ComboField
        name="voiceId"
        label={strings.setting.voiceId}
        hint={strings.otherVoices}
        choices={shown.map(({ id, name, provider, accent, gender, available }) => ({
          value: id,
          label: available ? name : strings.notAvailable(name),
          remark: [provider, accent, gender].filter(Boolean).join(' · '),
          ...(isCustom(id) ? { badge: strings.custom } : {}),
        }))}
      />
      <FieldShell label={strings.voiceLanguage}>
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          >
            <option value={ofAgent}>{strings.agentLanguage}</option>
            <option value={any}>{strings.anyLanguage}</option>
            {spoken.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </FieldShell>
      <Sample key={`${ttsModel} ${voiceId}`} {...chosen} />
    </div>
  );
};
