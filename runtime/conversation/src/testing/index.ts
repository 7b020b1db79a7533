// For programs that measure conversations.
export { type BookingAgent, bookingAgents } from './booking-agents.js';
export { type Booking, Caller, type Fact, type NeededField } from './caller.js';
