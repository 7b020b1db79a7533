// The hours at which the organization calls.
import { useController, useWatch } from 'react-hook-form';
import { FieldShell } from '../../components/field-shell.js';
import { SelectField, SwitchField } from '../../forms/choice-fields.js';
import { messageIn } from '../../forms/error-message.js';
import { settingsStrings as strings } from '../../strings/settings.js';

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const bases = choicesOf(strings.bases);
const zoneChoices = choicesOf(strings.zoneChoices);

const Days = ({ name, disabled }: { readonly name: string; readonly disabled: boolean }) => {
  const { field, fieldState } = useController({ name });
  const days: readonly number[] = Array.isArray(field.value) ? field.value : [];
  const message = messageIn(fieldState.error);
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1 font-medium">{strings.days}</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {strings.weekdays.map((weekday, day) => (
          <label key={weekday} className="flex items-center gap-1.5">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={days.includes(day)}
              onChange={({ target }) =>
                field.onChange(
                  target.checked ? [...days, day].sort((a, b) => a - b) : days.filter((one) => one !== day),
                )
              }
            />
            {weekday}
          </label>
        ))}
      </div>
      {message !== undefined && (
        <p role="alert" className="text-xs font-medium text-danger">
          {message}
        </p>
      )}
    </fieldset>
  );
};

const ClockField = ({
  name,
  label,
  hint,
  disabled,
  midnight = '00:00',
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly disabled: boolean;
  /** The contract's word for midnight. A field of the browser knows 00:00 alone. */
  readonly midnight?: '00:00' | '24:00';
}) => {
  const { field, fieldState } = useController({ name });
  return (
    <FieldShell label={label} hint={hint} error={fieldState.error?.message}>
      {(ids) => (
        <input
          {...ids}
          {...field}
          value={field.value === midnight ? '00:00' : field.value}
          onChange={({ target }) => field.onChange(target.value === '00:00' ? midnight : target.value)}
          type="time"
          disabled={disabled}
          className="input w-32"
        />
      )}
    </FieldShell>
  );
};

export const HoursFields = ({ disabled }: { readonly disabled: boolean }) => {
  const hasHours = useWatch({ name: 'hasHours' }) === true;
  return (
    <>
      <SwitchField name="hasHours" label={strings.hours} hint={strings.hoursHint} disabled={disabled} />
      {hasHours && (
        <div className="flex flex-col gap-4 border-l-2 border-line pl-4">
          <Days name="callingWindow.days" disabled={disabled} />
          <div className="flex flex-wrap gap-4">
            <ClockField name="callingWindow.start" label={strings.start} disabled={disabled} />
            <ClockField
              name="callingWindow.end"
              label={strings.end}
              hint={strings.endHint}
              disabled={disabled}
              midnight="24:00"
            />
            <SelectField
              name="callingWindow.basis"
              label={strings.basis}
              choices={bases}
              disabled={disabled}
            />
          </div>
        </div>
      )}
      <SelectField
        name="namedTimezones"
        label={strings.zones}
        hint={strings.zonesHint}
        choices={zoneChoices}
        disabled={disabled}
      />
    </>
  );
};
