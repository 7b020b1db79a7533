// Fields for choosing: one of several, yes or no.
import { useController } from 'react-hook-form';
import { FieldShell } from '../components/field-shell.js';
import { type Empty, type FieldProps, shellOf } from './fields.js';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps extends FieldProps {
  readonly choices: readonly Choice[];
  /** With `emptyLabel`: the value that the choice of nothing stands for. */
  readonly empty?: Empty;
  readonly emptyLabel?: string;
}

export const SelectField = ({ choices, empty, emptyLabel, ...field }: SelectFieldProps) => {
  const { field: control, fieldState } = useController({ name: field.name });
  return (
    <FieldShell {...shellOf(field)} error={fieldState.error?.message}>
      {(ids) => (
        <select
          {...ids}
          disabled={field.disabled}
          className="input"
          ref={control.ref}
          name={field.name}
          value={control.value ?? ''}
          onBlur={control.onBlur}
          onChange={({ target }) => control.onChange(target.value === '' ? empty : target.value)}
        >
          {emptyLabel !== undefined && <option value="">{emptyLabel}</option>}
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </FieldShell>
  );
};

const track =
  'relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors ' +
  'peer-checked:border-accent peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent ' +
  'after:absolute after:top-0.5 after:left-0.5 after:size-3.5 after:rounded-full after:bg-line-strong after:transition-transform ' +
  'peer-checked:after:translate-x-4 peer-checked:after:bg-accent-ink';

/** Yes or no. */
export const SwitchField = ({ name, label, hint, disabled }: FieldProps) => {
  const { field: control, fieldState } = useController({ name });
  const hintId = `${name}-hint`;
  return (
    <div className="flex flex-col gap-0.5">
      <label className="flex items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          role="switch"
          className="peer sr-only"
          ref={control.ref}
          name={name}
          disabled={disabled}
          checked={control.value === true}
          aria-checked={control.value === true}
          aria-describedby={hint === undefined ? undefined : hintId}
          onBlur={control.onBlur}
          onChange={({ target }) => control.onChange(target.checked)}
        />
        <span aria-hidden className={track} />
        {label}
      </label>
      {hint !== undefined && (
        <p id={hintId} className="text-xs text-ink-soft">
          {hint}
        </p>
      )}
      {fieldState.error?.message !== undefined && (
        <p className="text-xs font-medium text-danger">{fieldState.error.message}</p>
      )}
    </div>
  );
};
