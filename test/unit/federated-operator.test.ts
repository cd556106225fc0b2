import { describe, expect, it } from 'vitest';
import { federatedOperator } from '#api/sign-in/federated-operator.js';

const provider = {
  issuer: 'https://id.example',
  clientId: 'console',
  clientSecret: 'secret',
  name: 'Acme',
  scope: 'openid',
  nameClaim: 'email',
  groupsClaim: 'groups',
  groups: { viewer: ['everybody'], admin: ['leads', 'owners'] },
};

describe('a user of the identity provider', () => {
  it.each([
    [
      'has the highest role of its groups',
      { email: 'lena@shop.example', groups: ['everybody', 'owners'] },
      'admin',
    ],
    ['has the role of its only group, given as one text', { email: 'omar', groups: 'everybody' }, 'viewer'],
  ])('%s', (_what, claims, role) => {
    expect(federatedOperator(claims, provider)).toEqual({ name: claims.email, role });
  });

  it.each([
    ['has no role without a group', { email: 'greg' }, 'no-group'],
    ['has no role by groups of no role', { email: 'greg', groups: ['gardeners', 7, null] }, 'no-group'],
    [
      'has no role by a text that holds the name of a group',
      { email: 'greg', groups: 'everybody leads' },
      'no-group',
    ],
    ['has no name if the claim is missing', { groups: ['leads'] }, 'no-name'],
    ['has no name that the audit trail could not show', { email: 'lena <b>', groups: ['leads'] }, 'no-name'],
    ['has no name that is a list', { email: ['lena'], groups: ['leads'] }, 'no-name'],
  ])('%s', (_what, claims, refusal) => {
    expect(federatedOperator(claims, provider)).toBe(refusal);
  });
});
