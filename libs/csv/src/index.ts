export { type CsvTable, type CsvValue, csvTable } from './csv-table.js';
export { ExportTurns } from './export-turns.js';
