// A filter by a day, by the calendar of the organization.
import { LabelledFilter } from './filters.js';

/** @param value `2026-11-22`; empty: not filtered */
export const DateFilter = ({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) => (
  <LabelledFilter label={label}>
    {(id) => (
      <input
        id={id}
        type="date"
        className="input w-auto"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </LabelledFilter>
);
