// Fields of a form, by the names of their values. Each has a label, and its error is read out with it.
import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { cx } from '../components/cx.js';
import { FieldShell } from '../components/field-shell.js';

export interface FieldProps {
  /** Path of the value in the form. */
  readonly name: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly optional?: boolean;
  readonly disabled?: boolean;
}

/** The value in the body for an empty control. */
export type Empty = '' | null | undefined;

export const shellOf = ({ label, hint, optional }: FieldProps) => ({
  label,
  ...(hint === undefined ? {} : { hint }),
  ...(optional === undefined ? {} : { optional }),
});

export interface TextFieldProps extends FieldProps {
  readonly empty?: Empty;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'tel';
  readonly autoComplete?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'tel';
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly mono?: boolean;
}

export const TextField = ({
  empty = '',
  type = 'text',
  autoComplete = 'off',
  inputMode,
  placeholder,
  maxLength,
  mono = false,
  ...field
}: TextFieldProps) => {
  const { field: control, fieldState } = useController({ name: field.name });
  return (
    <FieldShell {...shellOf(field)} error={fieldState.error?.message}>
      {(ids) => (
        <input
          {...ids}
          {...{ type, autoComplete, inputMode, placeholder, maxLength, disabled: field.disabled }}
          className={cx('input', mono && 'font-mono')}
          ref={control.ref}
          name={field.name}
          value={control.value ?? ''}
          onBlur={control.onBlur}
          onChange={({ target }) => control.onChange(target.value === '' ? empty : target.value)}
        />
      )}
    </FieldShell>
  );
};

/** A telephone number in the form +14155550100. The contract knows the numbering plans. */
export const PhoneField = (props: FieldProps & { readonly empty?: Empty }) => (
  <TextField {...props} type="tel" autoComplete="tel" inputMode="tel" placeholder="+14155550100" mono />
);

export const LongTextField = ({
  rows = 6,
  empty = '',
  mono = false,
  ...field
}: FieldProps & { readonly rows?: number; readonly empty?: Empty; readonly mono?: boolean }) => {
  const { field: control, fieldState } = useController({ name: field.name });
  return (
    <FieldShell {...shellOf(field)} error={fieldState.error?.message}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          disabled={field.disabled}
          className={cx('input', mono && 'font-mono text-xs')}
          ref={control.ref}
          name={field.name}
          value={control.value ?? ''}
          onBlur={control.onBlur}
          onChange={({ target }) => control.onChange(target.value === '' ? empty : target.value)}
        />
      )}
    </FieldShell>
  );
};

/** A number. Any other text stays as it was typed, and the contract says that it does not fit. */
export const NumberField = ({
  empty,
  unit,
  ...field
}: FieldProps & { readonly empty?: null | undefined; readonly unit?: string }) => {
  const { field: control, fieldState } = useController({ name: field.name });
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
            value={control.value ?? ''}
            onBlur={control.onBlur}
            onChange={({ target: { value } }) => {
              if (value === '') control.onChange(empty);
              else control.onChange(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/.test(value) ? Number(value) : value);
            }}
          />
          {unit !== undefined && <span className="text-ink-soft">{unit}</span>}
        </span>
      )}
    </FieldShell>
  );
};
