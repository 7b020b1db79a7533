// The lines of the palette for records. Pure.

export interface FoundRecord {
  readonly id: string;
  readonly label: string;
  readonly remark?: string | undefined;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

export const mostOfKind = 5;

/** The first records whose words contain the text. */
export const matching = (records: readonly FoundRecord[], text: string): readonly FoundRecord[] => {
  const needle = text.toLowerCase();
  return records
    .filter(({ label, remark = '' }) => `${label} ${remark}`.toLowerCase().includes(needle))
    .slice(0, mostOfKind);
};
