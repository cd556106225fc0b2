/** Parts of a field's or a header's name (lower case, letters and digits only) that say that its value is a secret. */
const SECRET_PARTS =
  /secret|passw|passphrase|credential|apikey|privatekey|accesskey|accesstoken|refreshtoken|idtoken|authtoken|sessionid|cvv|cvc|securitycode|cardnumber|accountnumber|iban|signature|transmissionsig/;

/** Whole names: as a part they would hit `token_type`, `authorization_id`, `pinned`. */
const SECRET_NAMES = new Set(['token', 'cookie', 'setcookie', 'pin', 'csc', 'pwd', 'xcsrftoken', 'jwt']);

/** Secret as a text; `authorization` as an object is a resource of the interface. */
const SECRET_TEXTS = new Set(['authorization', 'proxyauthorization']);

const PERSONAL_NAMES = new Set([
  'email',
  'payeremail',
  'firstname',
  'middlename',
  'lastname',
  'givenname',
  'surname',
  'fullname',
  'payername',
  'recipientname',
  'receiver',
  'salutation',
  'phone',
  'phonenumber',
  'nationalnumber',
  'birthdate',
  'taxid',
  'line1',
  'line2',
]);

export type Sensitivity = 'secret' | 'secret-text' | 'personal' | 'open';

/** Names come back with every call; the bounds are for callers who make names up. */
const known = new Map<string, Sensitivity>();
const MOST_KNOWN = 5_000;
const LONGEST_KNOWN = 64;

/** What the name alone tells of the value under it, however the name is written (`client_secret`, `Client-Secret`). */
export function sensitivityOf(name: string): Sensitivity {
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const sensitivity = judge(name);
  if (known.size >= MOST_KNOWN) known.clear();
  if (name.length <= LONGEST_KNOWN) known.set(name, sensitivity);
  return sensitivity;
}

function judge(name: string): Sensitivity {
  const bare = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (SECRET_NAMES.has(bare) || SECRET_PARTS.test(bare)) return 'secret';
  if (SECRET_TEXTS.has(bare)) return 'secret-text';
  return PERSONAL_NAMES.has(bare) || bare.endsWith('email') ? 'personal' : 'open';
}
