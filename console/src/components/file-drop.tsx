// A file to choose or to drop. The button is the control; dropping is for people with a mouse.
import { Upload } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { componentStrings as strings } from '../strings/components.js';
import { bytesText } from '../strings/format.js';
import { Button } from './button.js';
import { cx } from './cx.js';

export const FileDrop = ({
  label,
  hint,
  accept,
  file,
  onChoose,
  error,
}: {
  readonly label: string;
  readonly hint?: string;
  /** As of an input: `.csv,.xlsx`. */
  readonly accept: string;
  readonly file: File | undefined;
  readonly onChoose: (file: File) => void;
  readonly error?: string | undefined;
}) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{label}</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for the keyboard */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer.files[0];
          if (dropped !== undefined) onChoose(dropped);
        }}
        className={cx(
          'flex flex-wrap items-center gap-3 rounded-lg border border-dashed px-4 py-5',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong',
        )}
      >
        <Button
          icon={<Upload aria-hidden className="size-4" />}
          aria-describedby={`${id}-about`}
          onClick={() => input.current?.click()}
        >
          {strings.chooseFile}
        </Button>
        <input
          ref={input}
          type="file"
          accept={accept}
          hidden
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            if (chosen !== undefined) onChoose(chosen);
            target.value = '';
          }}
        />
        <span id={`${id}-about`} className="min-w-0 text-ink-soft">
          {file === undefined ? strings.dropFile : `${file.name}, ${bytesText(file.size)}`}
          {hint !== undefined && <span className="block text-xs">{hint}</span>}
        </span>
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-1 text-xs font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
};
