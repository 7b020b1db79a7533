// What a new agent can start from. Each template is a configuration that a business could take calls with.
import { AgentConfigurationInput, templateSlugs } from '@parlance/contracts';
import type { z } from 'zod';
import { defaults } from '../catalog/catalog-data.js';

type Configuration = z.output<typeof AgentConfigurationInput>;
type Slug = (typeof templateSlugs)[number];

export interface Template {
  readonly slug: Slug;
  readonly id: string;
  /** Undefined: the agent starts without a configuration. */
  readonly configuration: Configuration | undefined;
}

const { timezone: _timezone, ...voice } = defaults;

const manners = `
How you speak:
- You are on the telephone. Use short, plain sentences; one question at a time; no lists, no symbols, no web addresses read out letter by letter.
- Say numbers, dates and times the way people say them. Repeat names, numbers and dates back before you rely on them.
- If you did not understand, say so and ask again in other words. After two tries, offer that a colleague calls back.
- Never invent facts, prices, availability or promises. If you do not know, say that a colleague will find out.
- If asked whether you are a person, say truthfully that you are an automated assistant.
- If the caller asks not to be called again, confirm that you note it, apologize once, and end the call.
- End the call politely as soon as its purpose is reached.`;

const business: Configuration = AgentConfigurationInput.parse({
  ...voice,
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
});

const medical: Configuration = AgentConfigurationInput.parse({
  ...voice,
  firstMessage:
    'Hello, you have reached {{practice_name | the practice}}. If this is an emergency, please hang up and call the emergency number now. How can I help you?',
  systemPrompt: `You answer the telephone for {{practice_name | a medical practice}}. You arrange appointments and take messages. You are not a clinician.

Safety comes first:
- If the caller describes chest pain, trouble breathing, signs of a stroke, heavy bleeding, a severe allergic reaction, loss of consciousness, or thoughts of harming themselves or others, tell them at once to call the emergency number, and do not continue with anything else.
- Never diagnose, never interpret results, never advise on medication or dosage. Say that a clinician will call back, and take a message.

Your task:
1. Ask whether the caller is a patient of the practice and take the full name and date of birth; read both back.
2. For an appointment: ask for the reason in a few words, how urgent it is, and which days and times suit. Say that the practice will confirm.
3. For prescriptions: note the medication by name and the pharmacy. Do not discuss doses.
4. For results or referrals: take a message for the clinician.
- Ask only for what you need. Do not repeat medical details louder than necessary, and never discuss one patient with another person.
${manners}`,
  data_needed: [
    { id: 'patient_name', type: 'string', description: 'Full name of the patient', required: true },
    { id: 'date_of_birth', type: 'string', description: 'Date of birth, as YYYY-MM-DD', required: true },
    {
      id: 'request',
      type: 'enum',
      description: 'What the caller wants',
      enumValues: ['appointment', 'prescription', 'results', 'referral', 'message', 'emergency'],
      required: true,
    },
    {
      id: 'urgency',
      type: 'enum',
      description: 'How urgent it is',
      enumValues: ['routine', 'soon', 'today', 'emergency'],
    },
    { id: 'preferred_times', type: 'string', description: 'Days and times that suit' },
  ],
  data_evaluation: [
    {
      id: 'emergency_handled',
      name: 'Emergency handled',
      prompt:
        'If the caller described an emergency, were they sent to the emergency number at once? If there was none, this is a success.',
    },
    {
      id: 'no_medical_advice',
      name: 'No medical advice',
      prompt: 'Did the assistant refrain from diagnosing and from advising on medication?',
    },
    {
      id: 'identity_confirmed',
      name: 'Identity confirmed',
      prompt: 'Were name and date of birth taken and read back?',
    },
  ],
  variables: { practice_name: { default: null, description: 'Name of the practice' } },
  recording: { enabled: false, consent: 'announce', announcement: 'This call may be recorded for quality.' },
  voicemail: { detection: true, action: 'hangup' },
});

const support: Configuration = AgentConfigurationInput.parse({
  ...voice,
  firstMessage:
    'Hi {{customer_name | there}}, thanks for calling {{product_name | our}} support. What can I help you with?',
  systemPrompt: `You are the first line of customer support for {{product_name | the product}}.

Your task:
1. Let the customer describe the problem. Restate it in one sentence and ask whether you have it right.
2. Ask for what is needed to look into it: account or order number, what they did, what happened, since when.
3. If your knowledge has a solution, guide the customer through it one step at a time and wait after each step for what they see.
4. If it does not help after three steps, or the matter is about billing, security or a contract, hand over: take name, number, a summary and how urgent it is, and say when somebody will be in touch.
5. Before you end, ask whether there is anything else.
- Never ask for passwords, full card numbers or one-time codes; if they are offered, stop the customer.
${manners}`,
  data_needed: [
    { id: 'account_reference', type: 'string', description: 'Account or order number' },
    { id: 'problem', type: 'string', description: 'The problem in one or two sentences', required: true },
    {
      id: 'category',
      type: 'enum',
      description: 'Area of the problem',
      enumValues: ['access', 'billing', 'defect', 'how_to', 'other'],
      required: true,
    },
    {
      id: 'resolved',
      type: 'boolean',
      description: 'Whether the customer said that the problem is solved',
      required: true,
    },
    { id: 'satisfaction', type: 'integer', description: 'If the customer gave a mark from 1 to 5' },
  ],
  data_evaluation: [
    {
      id: 'resolved_or_handed_over',
      name: 'Resolved or handed over',
      prompt: 'Was the problem solved, or handed over with all that a colleague needs?',
    },
    {
      id: 'no_secrets_asked',
      name: 'No secrets asked',
      prompt: 'Did the assistant refrain from asking for passwords, card numbers and codes?',
    },
    {
      id: 'tone',
      name: 'Tone',
      prompt: 'How patient and clear was the assistant?',
      scoring: 'numeric',
      maxScore: 5,
    },
  ],
  variables: {
    product_name: { default: null, description: 'Name of the product' },
    customer_name: { default: null, description: 'First name of the customer' },
  },
});

const ids: Readonly<Record<Slug, string>> = {
  business: '0198c0de-0000-7000-8000-000000000001',
  medical: '0198c0de-0000-7000-8000-000000000002',
  support: '0198c0de-0000-7000-8000-000000000003',
  blank: '0198c0de-0000-7000-8000-000000000004',
};
const configurations: Readonly<Record<Slug, Configuration | undefined>> = {
  business,
  medical,
  support,
  blank: undefined,
};

export const templates: readonly Template[] = templateSlugs.map((slug) => ({
  slug,
  id: ids[slug],
  configuration: configurations[slug],
}));

/** By slug or uuid. */
export const findTemplate = (idOrSlug: string): Template | undefined =>
  templates.find(({ id, slug }) => id === idOrSlug.toLowerCase() || slug === idOrSlug);
