// Sends one request to the saved model, and shows how it went.
import type { OrganizationModel } from '@parlance/client';
import { useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { ErrorNote } from '../../components/error-note.js';
import { FieldShell } from '../../components/field-shell.js';
import { ModelTestResult } from '../../components/model-test-result.js';
import { useCommand } from '../../data/commands.js';
import { modelStrings } from '../../strings/models.js';

const strings = modelStrings.test;

export const ModelTest = ({ model: { id: modelId, voices } }: { readonly model: OrganizationModel }) => {
  const test = useCommand('models.test', { invalidates: [] });
  const [voice, setVoice] = useState(voices[0]?.id);
  const voiceId = voices.some(({ id }) => id === voice) ? voice : voices[0]?.id;
  const body = { modelId, ...(voiceId === undefined ? {} : { voiceId: `${modelId}/${voiceId}` }) };
  return (
    <Card title={strings.title} actions={<CopyAsCurl operation="models.test" parts={{ body }} />}>
      <div className="flex flex-col items-start gap-4">
        <p className="text-ink-soft">{strings.intro}</p>
        {voices.length > 1 && (
          <FieldShell label={strings.voice}>
            {(ids) => (
              <select
                {...ids}
                className="input"
                value={voiceId}
                onChange={({ target }) => setVoice(target.value)}
              >
                {voices.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </FieldShell>
        )}
        <Guarded operation="models.test">
          {/* The failure is shown below. */}
          <Button
            kind="primary"
            busy={test.isPending}
            onClick={() => void test.mutateAsync({ body }).catch(() => undefined)}
          >
            {strings.run}
          </Button>
        </Guarded>
        <div className="w-full" aria-live="polite">
          {test.error !== null && <ErrorNote error={test.error} />}
          {test.data !== undefined && <ModelTestResult test={test.data.data} />}
        </div>
      </div>
    </Card>
  );
};
