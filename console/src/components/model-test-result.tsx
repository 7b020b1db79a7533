// The result of a model test: times, the answer as text or sound, or the reason why the test failed.
import type { ModelTest } from '@parlance/client';
import { useEffect, useState } from 'react';
import { modelStrings } from '../strings/models.js';
import { CodeBlock } from './code.js';
import { Notice, StatusBadge } from './status.js';

const strings = modelStrings.test;

/** The policy of the page plays sound of blobs, and none of `data:` addresses. */
const useBlobUrl = (base64: string, type: string): string | undefined => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const made = URL.createObjectURL(new Blob([bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [base64, type]);
  return url;
};

const Sound = ({ base64, contentType }: { readonly base64: string; readonly contentType: string }) => {
  const url = useBlobUrl(base64, contentType);
  // biome-ignore lint/a11y/useMediaCaption: nobody has written down what the model said
  return url === undefined ? null : <audio controls autoPlay src={url} aria-label={strings.spoken} />;
};

export const ModelTestResult = ({ test }: { readonly test: ModelTest }) => {
  const { ok, kind, firstByteMs, totalMs, text, audio, error } = test;
  const ms = (value: number): string => `${value} ms`;
  return (
    <section aria-label={strings.outcome} className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatusBadge tone={ok ? 'good' : 'bad'}>{ok ? strings.ok : strings.failed}</StatusBadge>
        <span className="text-ink-soft">
          {[firstByteMs === null ? '' : strings.firstByte(ms(firstByteMs)), strings.whole(ms(totalMs))]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      {error !== null && (
        <Notice tone="bad">
          <p className="font-medium">{error.message}</p>
          {error.status !== null && <p>{strings.status(error.status)}</p>}
        </Notice>
      )}
      {error?.excerpt != null && <CodeBlock code={error.excerpt} name={strings.excerpt} />}
      {text !== null && (
        <p>
          {kind === 'stt' ? strings.heard : strings.answered}: <span dir="auto">{text}</span>
        </p>
      )}
      {audio !== null &&
        (audio.base64 === null ? (
          <p className="text-ink-soft">{strings.tooLong}</p>
        ) : (
          <Sound base64={audio.base64} contentType={audio.contentType} />
        ))}
    </section>
  );
};
