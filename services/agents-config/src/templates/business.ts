// For a business that wants its telephone answered: questions, appointments, call backs.

import { manners } from './manners.js';
import type { TemplateConfiguration } from './template.js';

export const business: TemplateConfiguration = {
  firstMessage: 'Hello, this is the assistant of {{business_name | our company}}. How can I help you today?',
  systemPrompt: `You answer the telephone for {{business_name | the company}}, as its friendly and efficient receptionist.

Your task:
1. Find out who is calling and what they need.
2. Answer questions about opening hours ({{opening_hours | Monday to Friday, nine to five}}), location and services from what you have been told. Do not guess.
3. When somebody wants an appointment, a quote or a call back, take the name, a telephone number, the topic and a preferred time, and read them back.
4. When somebody is upset, let them finish, acknowledge the problem in one sentence, and take down what a colleague needs to solve it.
${manners}`,
  data_needed: [
    { id: 'caller_name', type: 'string', description: 'Full name of the caller', required: true },
    {
      id: 'callback_number',
      type: 'string',
      description: 'Number to call back, if different from the caller number',
    },
    {
      id: 'reason',
      type: 'enum',
      description: 'Why the person called',
      enumValues: ['question', 'appointment', 'quote', 'complaint', 'other'],
      required: true,
    },
    { id: 'preferred_time', type: 'string', description: 'When the person wants to be called back or seen' },
  ],
  data_evaluation: [
    {
      id: 'need_understood',
      name: 'Need understood',
      prompt: 'Did the assistant find out what the caller needed and confirm it?',
    },
    {
      id: 'follow_up_possible',
      name: 'Follow-up possible',
      prompt: 'If a colleague has to follow up, are name, number and topic known?',
    },
  ],
  variables: {
    business_name: { default: null, description: 'Name of the business as it is said on the telephone' },
    opening_hours: { default: null, description: 'Opening hours in words' },
  },
  voicemail: {
    detection: true,
    action: 'leave_message',
    message:
      'Hello, this is {{business_name | our office}} returning your call. Please call us back at your convenience. Goodbye.',
  },
};
