// For the first line of customer support: understand, solve with the known facts, or hand over well.

import { manners } from './manners.js';
import type { TemplateConfiguration } from './template.js';

export const support: TemplateConfiguration = {
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
};
