// A field for choosing any number of few values, each with a box of its own.
import { useController } from 'react-hook-form';
import type { FieldProps } from './fields.js';

export interface CheckChoice<Value extends string | number> {
  readonly value: Value;
  readonly label: string;
}

/** The value is a list, in the order of the choices. */
export const ChecksField = <Value extends string | number>({
  choices,
  name,
  label,
  hint,
  disabled,
}: FieldProps & { readonly choices: readonly CheckChoice<Value>[] }) => {
  const { field: control, fieldState } = useController({ name });
  const chosen: readonly Value[] = Array.isArray(control.value) ? control.value : [];
  const toggle = (value: Value): void =>
    control.onChange(
      choices.map((choice) => choice.value).filter((one) => chosen.includes(one) !== (one === value)),
    );
  const { error } = fieldState;
  return (
    <fieldset className="flex min-w-0 flex-col gap-1" disabled={disabled}>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {choices.map((choice, index) => (
          <label key={choice.value} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              {...(index === 0 ? { ref: control.ref } : {})}
              name={`${name}.${choice.value}`}
              checked={chosen.includes(choice.value)}
              onBlur={control.onBlur}
              onChange={() => toggle(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="text-xs text-ink-soft">{hint}</p>}
      {error?.message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {error.message}
        </p>
      )}
    </fieldset>
  );
};
