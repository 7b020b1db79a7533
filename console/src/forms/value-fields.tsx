// Fields for values that people type in another form than the one that travels: moments, money, lists, pairs.
import { Plus, X } from 'lucide-react';
import { useContext, useEffect, useState } from 'react';
import { useController } from 'react-hook-form';
import { Button, IconButton } from '../components/button.js';
import { FieldShell } from '../components/field-shell.js';
import { TimeZone } from '../components/values.js';
import { newId } from '../data/new-id.js';
import { formStrings as strings } from '../strings/forms.js';
import { amountOf, microsOf } from './amounts.js';
import { messageIn } from './error-message.js';
import { type Empty, type FieldProps, shellOf } from './fields.js';
import { isoOf, wallOf } from './zoned.js';

/** A moment by the clock of the organization; ISO 8601 in UTC in the body. A time stays as it is typed until it is a moment. */
export const DateTimeField = ({ empty, ...field }: FieldProps & { readonly empty?: Empty }) => {
  const { field: control, fieldState } = useController({ name: field.name });
  const zone = useContext(TimeZone);
  const [typed, setTyped] = useState('');
  const value = typeof control.value === 'string' && control.value !== '' ? control.value : undefined;
  const isSame = isoOf(typed, zone) === value;
  useEffect(() => {
    if (!isSame) setTyped(value === undefined ? '' : wallOf(value, zone));
  }, [value, zone, isSame]);
  return (
    <FieldShell {...shellOf({ hint: strings.inZone(zone), ...field })} error={fieldState.error?.message}>
      {(ids) => (
        <input
          {...ids}
          type="datetime-local"
          disabled={field.disabled}
          className="input max-w-64"
          ref={control.ref}
          name={field.name}
          value={typed}
          onBlur={control.onBlur}
          onChange={({ target }) => {
            setTyped(target.value);
            control.onChange(isoOf(target.value, zone) ?? empty);
          }}
        />
      )}
    </FieldShell>
  );
};

/** An amount; whole millionths in the body. A text that is no amount stays as it was typed. */
export const MoneyField = ({
  currency,
  empty,
  ...field
}: FieldProps & { readonly currency: string; readonly empty?: null | undefined }) => {
  const { field: control, fieldState } = useController({ name: field.name });
  const [typed, setTyped] = useState('');
  const isSame = microsOf(typed) === control.value || typed === control.value;
  useEffect(() => {
    if (!isSame) setTyped(typeof control.value === 'number' ? amountOf(control.value) : '');
  }, [control.value, isSame]);
  return (
    <FieldShell {...shellOf(field)} error={fieldState.error?.message}>
      {(ids) => (
        <span className="flex items-center gap-2">
          <input
            {...ids}
            inputMode="decimal"
            autoComplete="off"
            disabled={field.disabled}
            className="input max-w-40 tabular-nums"
            ref={control.ref}
            name={field.name}
            value={typed}
            onBlur={control.onBlur}
            onChange={({ target: { value } }) => {
              setTyped(value);
              control.onChange(value === '' ? empty : (microsOf(value) ?? value));
            }}
          />
          <span className="text-ink-soft">{currency}</span>
        </span>
      )}
    </FieldShell>
  );
};

/** A list of texts; Enter or a comma ends one. */
export const TagsField = ({
  placeholder = strings.addTag,
  ...field
}: FieldProps & { readonly placeholder?: string }) => {
  const { field: control, fieldState } = useController({ name: field.name });
  const [typed, setTyped] = useState('');
  const tags: readonly string[] = Array.isArray(control.value) ? control.value : [];
  const add = (): void => {
    const next = typed
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '' && !tags.includes(tag));
    if (next.length > 0) control.onChange([...tags, ...next]);
    setTyped('');
  };
  return (
    <FieldShell {...shellOf(field)} error={messageIn(fieldState.error)}>
      {(ids) => (
        <>
          {tags.length > 0 && (
            <ul className="flex flex-wrap gap-1.5">
              {tags.map((tag) => (
                <li key={tag} className="flex items-center rounded-md bg-sunken pl-2.5">
                  {tag}
                  <IconButton
                    name={strings.removeTag(tag)}
                    icon={<X aria-hidden className="size-3.5" />}
                    className="size-7"
                    onClick={() => control.onChange(tags.filter((one) => one !== tag))}
                  />
                </li>
              ))}
            </ul>
          )}
          <input
            {...ids}
            autoComplete="off"
            disabled={field.disabled}
            placeholder={placeholder}
            className="input"
            ref={control.ref}
            value={typed}
            onBlur={() => {
              add();
              control.onBlur();
            }}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ',') return;
              event.preventDefault();
              add();
            }}
          />
        </>
      )}
    </FieldShell>
  );
};

interface Pair {
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

const pairsOf = (value: unknown): readonly Pair[] =>
  Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([key, one]) => ({
    id: newId(),
    key,
    value: String(one),
  }));

const recordOf = (pairs: readonly Pair[]): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]));

/** Names and values; an object of texts in the body. */
export const KeyValueField = ({ label, name, hint, disabled }: FieldProps) => {
  const { field: control, fieldState } = useController({ name });
  const [pairs, setPairs] = useState(() => pairsOf(control.value));
  const isSame = JSON.stringify(recordOf(pairs)) === JSON.stringify(control.value ?? {});
  useEffect(() => {
    if (!isSame) setPairs(pairsOf(control.value));
  }, [control.value, isSame]);
  const change = (next: readonly Pair[]): void => {
    setPairs(next);
    control.onChange(recordOf(next));
  };
  const put = (id: string, part: Partial<Pair>): void =>
    change(pairs.map((pair) => (pair.id === id ? { ...pair, ...part } : pair)));
  const message = messageIn(fieldState.error);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" disabled={disabled}>
      <legend className="mb-1 font-medium">{label}</legend>
      {pairs.map(({ id, key, value }) => (
        <div key={id} className="flex items-center gap-2">
          <input
            aria-label={strings.key}
            className="input font-mono"
            value={key}
            onChange={({ target }) => put(id, { key: target.value })}
          />
          <input
            aria-label={strings.value}
            className="input"
            value={value}
            onChange={({ target }) => put(id, { value: target.value })}
          />
          <IconButton
            name={strings.removePair(key)}
            icon={<X aria-hidden className="size-4" />}
            onClick={() => change(pairs.filter((pair) => pair.id !== id))}
          />
        </div>
      ))}
      <div>
        <Button
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setPairs([...pairs, { id: newId(), key: '', value: '' }])}
        >
          {strings.addPair}
        </Button>
      </div>
      {hint !== undefined && <p className="text-xs text-ink-soft">{hint}</p>}
      {message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
};
