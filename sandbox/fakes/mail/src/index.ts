export { type Mailroom, type MailroomOptions, startMailroom } from './mailroom.js';
