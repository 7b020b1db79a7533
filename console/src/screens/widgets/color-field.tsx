// A color, chosen or typed.
import { useController } from 'react-hook-form';
import { FieldShell } from '../../components/field-shell.js';
import { type FieldProps, shellOf } from '../../forms/fields.js';

export const ColorField = (field: FieldProps) => {
  const { field: control, fieldState } = useController({ name: field.name });
  const value = typeof control.value === 'string' ? control.value : '';
  return (
    <FieldShell {...shellOf(field)} error={fieldState.error?.message}>
      {(ids) => (
        <span className="flex items-center gap-2">
          <input
            {...ids}
            className="input max-w-32 font-mono"
            autoComplete="off"
            maxLength={7}
            ref={control.ref}
            name={field.name}
            value={value}
            onBlur={control.onBlur}
            onChange={({ target }) => control.onChange(target.value)}
          />
          <input
            type="color"
            aria-label={typeof field.label === 'string' ? field.label : field.name}
            className="size-9 shrink-0 cursor-pointer rounded-md border border-line-strong bg-raised p-1"
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
            onChange={({ target }) => control.onChange(target.value)}
          />
        </span>
      )}
    </FieldShell>
  );
};
