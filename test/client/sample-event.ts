import { wireAuthorization } from './answers.js';

export const event = {
  id: 'EVT-1',
  create_time: '2024-03-01T10:00:00Z',
  resource_type: 'authorization',
  trigger_event: 'PAYMENT.AUTHORIZATION.CREATED',
  event_type: 'PAYMENT.AUTHORIZATION.CREATED',
  summary: 'created',
  resource: wireAuthorization,
};
export const rawBody = Buffer.from(JSON.stringify(event));
