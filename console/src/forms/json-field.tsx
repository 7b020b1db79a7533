// A field for any JSON value. A text that is no JSON stays as it was typed, and the contract says that it does not fit.
import { useEffect, useState } from 'react';
import { useController } from 'react-hook-form';
import { FieldShell } from '../components/field-shell.js';
import { messageIn } from './error-message.js';
import { type Empty, type FieldProps, shellOf } from './fields.js';

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

const jsonOf = (text: string, empty: unknown): unknown => {
  if (text.trim() === '') return empty;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

export const JsonField = ({
  rows = 5,
  empty,
  ...field
}: FieldProps & { readonly rows?: number; readonly empty?: Exclude<Empty, ''> | object }) => {
  const { field: control, fieldState } = useController({ name: field.name });
  const [typed, setTyped] = useState(() => textOf(control.value));
  const isSame = JSON.stringify(jsonOf(typed, empty)) === JSON.stringify(control.value);
  useEffect(() => {
    if (!isSame) setTyped(textOf(control.value));
  }, [control.value, isSame]);
  return (
    <FieldShell {...shellOf(field)} error={messageIn(fieldState.error)}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          spellCheck={false}
          disabled={field.disabled}
          className="input font-mono text-xs"
          ref={control.ref}
          value={typed}
          onBlur={control.onBlur}
          onChange={({ target: { value } }) => {
            setTyped(value);
            control.onChange(jsonOf(value, empty));
          }}
        />
      )}
    </FieldShell>
  );
};
