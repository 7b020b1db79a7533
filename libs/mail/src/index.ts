export { isEmailAddress, type Mailbox, parseMailbox } from './address.js';
export {
  checkMailServer,
  createMailer,
  type Mail,
  type Mailer,
  type MailerOptions,
  MailNotSent,
} from './mailer.js';
