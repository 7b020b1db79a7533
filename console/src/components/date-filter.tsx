// A filter by a day, by the calendar of the organization.
import { useId } from 'react';

/** @param value `2026-11-22`; empty: not filtered */
export const DateFilter = ({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => {
  const id = useId();
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-ink-soft">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="input w-auto"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
};
