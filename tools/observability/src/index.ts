export { type Alert, alerts } from './alerts.js';
export { type MonitoringFile, monitoringFiles } from './files.js';
