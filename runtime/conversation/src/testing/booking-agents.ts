// Agents that take bookings, for the simulated callers.
import type { RuntimeConfig, ToolForRuntime } from '@parlance/contracts';

export interface BookingAgent {
  readonly config: object;
  readonly tools?: readonly (Partial<ToolForRuntime> & { readonly name: string })[];
  readonly results?: Readonly<Record<string, unknown>>;
  readonly knowledge: RuntimeConfig['knowledge'];
  readonly documents?: readonly string[];
}

const text = (names: string[], integers: string[] = []) => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [name, { type: integers.includes(name) ? 'integer' : 'string' }]),
  ),
  required: names,
});

export const bookingAgents: Readonly<Record<string, BookingAgent>> = {
  restaurant: {
    config: {
      agent_language: 'en-US',
      timezone: 'America/New_York',
      firstMessage: 'Thank you for calling the Blue Door. How can I help you?',
      data_needed: [
        { id: 'notes', type: 'string', description: 'Allergies or special wishes' },
        { id: 'full_name', type: 'string', description: "The caller's full name", required: true },
        { id: 'phone', type: 'string', description: 'Phone number of the caller', required: true },
        { id: 'party_size', type: 'integer', description: 'Number of people', required: true },
        { id: 'reservation', type: 'string', description: 'Date and time of the table', required: true },
        {
          id: 'seating',
          type: 'enum',
          description: 'Where you would like to sit',
          enumValues: ['inside', 'terrace'],
          required: true,
        },
      ],
    },
    tools: [
      {
        name: 'book_table',
        description: 'Books a table.',
        parameters: text(['full_name', 'phone', 'party_size', 'reservation'], ['party_size']),
      },
    ],
    results: { book_table: { message: 'Your table is booked.' } },
    knowledge: { mode: 'auto', prompt: null },
    documents: ['We are open from five to eleven every day but Monday. There is parking behind the house.'],
  },
  dentist: {
    config: {
      agent_language: 'en-GB',
      timezone: 'Europe/London',
      firstMessage: 'Dental practice, good morning. What can I do for you?',
      data_needed: [
        { id: 'patient_name', type: 'string', description: "The patient's name", required: true },
        { id: 'date_of_birth', type: 'string', description: 'Date of birth of the patient', required: true },
        {
          id: 'first_visit',
          type: 'boolean',
          description: 'Is this your first visit with us?',
          required: true,
        },
        { id: 'reason', type: 'string', description: 'Reason for the visit', required: true },
        { id: 'appointment_day', type: 'string', description: 'Day of the appointment', required: true },
        { id: 'appointment_time', type: 'string', description: 'Time of the appointment', required: true },
      ],
    },
    tools: [
      {
        name: 'book_appointment',
        description: 'Books an appointment with the dentist.',
        parameters: text(['patient_name', 'appointment_day', 'appointment_time']),
      },
    ],
    results: { book_appointment: { message: 'The appointment is booked.' } },
    knowledge: { mode: 'auto', prompt: null },
    documents: ['A check-up costs 26 pounds. We take cards and cash.'],
  },
  workshop: {
    config: {
      agent_language: 'en-US',
      timezone: 'America/Chicago',
      firstMessage: 'Main Street Garage, how may I help?',
      data_needed: [
        { id: 'customer_name', type: 'string', description: "The customer's full name", required: true },
        { id: 'email', type: 'string', description: 'Email address of the customer', required: true },
        {
          id: 'service',
          type: 'enum',
          description: 'Which service you need',
          enumValues: ['oil change', 'tires', 'brakes'],
          required: true,
        },
        {
          id: 'pickup_address',
          type: 'string',
          description: 'Address where we pick the car up',
          required: true,
        },
        { id: 'day', type: 'string', description: 'Day of the service', required: true },
        { id: 'loaner', type: 'boolean', description: 'Do you need a loaner car?' },
      ],
    },
    knowledge: {
      mode: 'prompt',
      prompt:
        'An oil change takes one hour.\n\nWe are closed on Sunday.\n\nA loaner car is free for one day.',
    },
  },
  hotel: {
    config: {
      agent_language: 'en-US',
      timezone: 'America/Los_Angeles',
      firstMessage: 'Hotel Pacific, reservations. How can I help you?',
      data_needed: [
        { id: 'guest_name', type: 'string', description: "The guest's full name", required: true },
        { id: 'arrival', type: 'string', description: 'Date of arrival', required: true },
        { id: 'nights', type: 'integer', description: 'Number of nights', required: true },
        {
          id: 'room',
          type: 'enum',
          description: 'Which room you would like',
          enumValues: ['single', 'double', 'suite'],
          required: true,
        },
        { id: 'phone', type: 'string', description: 'Phone number of the guest', required: true },
      ],
    },
    tools: [
      {
        name: 'reserve_room',
        description: 'Reserves a room.',
        parameters: text(['guest_name', 'arrival', 'nights', 'room', 'phone'], ['nights']),
        fillerMessage: 'One moment please.',
      },
    ],
    results: { reserve_room: { message: 'The room is reserved.' } },
    knowledge: { mode: 'auto', prompt: null },
    documents: ['Breakfast is from seven to ten and is included. Dogs are welcome.'],
  },
  friseur: {
    config: {
      agent_language: 'de-DE',
      timezone: 'Europe/Berlin',
      firstMessage: 'Salon Schmidt, guten Tag. Was kann ich für Sie tun?',
      data_needed: [
        { id: 'name', type: 'string', description: 'Name des Kunden', required: true },
        { id: 'telefon', type: 'string', description: 'Telefonnummer', required: true },
        { id: 'termin', type: 'string', description: 'Datum und Uhrzeit des Termins', required: true },
        {
          id: 'leistung',
          type: 'enum',
          description: 'Welche Leistung Sie wünschen',
          enumValues: ['Schneiden', 'Färben', 'Waschen'],
          required: true,
        },
      ],
    },
    tools: [
      {
        name: 'termin_buchen',
        description: 'Bucht einen Termin im Salon.',
        parameters: text(['name', 'telefon', 'termin', 'leistung']),
      },
    ],
    results: { termin_buchen: { message: 'Ihr Termin ist gebucht.' } },
    knowledge: { mode: 'auto', prompt: null },
    documents: ['Ein Haarschnitt kostet 35 Euro. Parkplätze gibt es im Hof.'],
  },
};
