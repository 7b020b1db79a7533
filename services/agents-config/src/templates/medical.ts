// For a medical practice: appointments and messages, emergencies sent away at once, no medical advice.

import { manners } from './manners.js';
import type { TemplateConfiguration } from './template.js';

export const medical: TemplateConfiguration = {
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
};
