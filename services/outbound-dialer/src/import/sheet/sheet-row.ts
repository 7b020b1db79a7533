// The rows of a sheet, of whichever format its file has.

/** Cells of one row of a sheet as text, empty ones as ''. */
export interface SheetRow {
  readonly rowNumber: number;
  readonly cells: readonly string[];
  /** The spreadsheet does not show the row. */
  readonly isHidden?: boolean;
  /** All digits of a whole number whose number format hides some, by the index of its cell. */
  readonly digits?: ReadonlyMap<number, string>;
}

/** Takes rows in the order of the file. Throws FileRefused to stop the reading. */
export type RowSink = (row: SheetRow) => void;
/** Awaited between chunks of the file, so that reading is no faster than the work on the rows. */
export type Pause = () => Promise<void>;
