// Headers of a request. A value is a text or a secret; a stored text is shown as "•••", and saving "•••" keeps it.
import { Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useController } from 'react-hook-form';
import { Button, IconButton } from '../components/button.js';
import { newId } from '../data/new-id.js';
import { formStrings as strings } from '../strings/forms.js';
import type { Choice } from './choice-fields.js';
import { messageIn } from './error-message.js';
import type { FieldProps } from './fields.js';

type HeaderValue = string | { readonly secretId: string };

interface Row {
  readonly id: string;
  readonly name: string;
  readonly value: HeaderValue;
}

const rowsOf = (value: unknown): readonly Row[] =>
  Object.entries((value ?? {}) as Readonly<Record<string, HeaderValue>>).map(([name, one]) => ({
    id: newId(), // the value is a record of headers, by the contract
    name,
    value: one,
  }));

const recordOf = (rows: readonly Row[]): Readonly<Record<string, HeaderValue>> =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));

const asText = '';

export const HeadersField = ({
  name,
  label,
  hint = strings.headersHint,
  secrets,
}: FieldProps & { readonly secrets: readonly Choice[] }) => {
  const { field: control, fieldState } = useController({ name });
  const [rows, setRows] = useState(() => rowsOf(control.value));
  const isSame = JSON.stringify(recordOf(rows)) === JSON.stringify(control.value ?? {});
  useEffect(() => {
    if (!isSame) setRows(rowsOf(control.value));
  }, [control.value, isSame]);
  const change = (next: readonly Row[]): void => {
    setRows(next);
    control.onChange(recordOf(next));
  };
  const put = (id: string, part: Partial<Row>): void =>
    change(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const message = messageIn(fieldState.error);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">{label}</legend>
      {rows.map(({ id, name: header, value }) => (
        <div key={id} className="flex flex-wrap items-center gap-2">
          <input
            aria-label={strings.headerName}
            autoComplete="off"
            className="input max-w-48 min-w-32 flex-1 font-mono"
            value={header}
            onChange={({ target }) => put(id, { name: target.value })}
          />
          <select
            aria-label={strings.headerSource(header)}
            className="input w-auto max-w-48"
            value={typeof value === 'string' ? asText : value.secretId}
            onChange={({ target }) =>
              put(id, { value: target.value === asText ? '' : { secretId: target.value } })
            }
          >
            <option value={asText}>{strings.headerText}</option>
            {secrets.map((secret) => (
              <option key={secret.value} value={secret.value}>
                {strings.headerSecret(secret.label)}
              </option>
            ))}
          </select>
          {typeof value === 'string' && (
            <input
              aria-label={strings.headerValue(header)}
              autoComplete="off"
              className="input min-w-32 flex-1 font-mono"
              value={value}
              onChange={({ target }) => put(id, { value: target.value })}
            />
          )}
          <IconButton
            name={strings.removePair(header)}
            icon={<X aria-hidden className="size-4" />}
            onClick={() => change(rows.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      <div>
        <Button
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setRows([...rows, { id: newId(), name: '', value: '' }])}
        >
          {strings.addHeader}
        </Button>
      </div>
      <p className="text-xs text-ink-soft">{hint}</p>
      {message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
};
