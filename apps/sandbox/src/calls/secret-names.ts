/** Parts of a field's or a header's name (lower case, letters and digits only) that say that its value is a secret. */
const SECRET_PARTS =
  /secret|passw|passphrase|credential|apikey|privatekey|accesskey|accesstoken|refreshtoken|idtoken|authtoken|sessionid|cvv|cvc|securitycode|cardnumber|accountnumber|iban|signature|transmissionsig/;

/** Whole names: as a part they would match `token_type`, `authorization_id`, `pinned`. */
const SECRET_NAMES = new Set(['cookie', 'setcookie', 'pin', 'csc', 'pwd', 'jwt', 'auth', 'csrf', 'session']);

/** `token` itself and every kind of it, except `token_type`. */
const SECRET_ENDS = /token$/;

/** Headers carry no business data: everything that may authenticate the sender is removed. */
const SECRET_HEADERS = /token|auth|secret|session|csrf|xsrf|key|signature|cookie/;

/** Secret as a text; `authorization` as an object is a resource of the interface. */
const SECRET_TEXTS = new Set(['authorization', 'proxyauthorization']);

const PERSONAL_NAMES = new Set([
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
  'nationalnumber',
  'birthdate',
  'taxid',
  'line1',
  'line2',
]);

/** With any number of words before it: `shipping_phone_number`, `payer_email`. */
const PERSONAL_ENDS = /(email|phone|mobile|fax)(address|es|s|no|number|numbers)?$/;

export type Sensitivity = 'secret' | 'secret-text' | 'personal' | 'open';

/** Names repeat with every call; the limits are for callers who invent names. */
const known = new Map<string, Sensitivity>();
const MOST_KNOWN = 5_000;
const LONGEST_KNOWN = 64;

/** What the name alone says about its value, however the name is written (`client_secret`, `Client-Secret`). */
export function sensitivityOf(name: string): Sensitivity {
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const sensitivity = classify(name);
  if (known.size >= MOST_KNOWN) known.clear();
  if (name.length <= LONGEST_KNOWN) known.set(name, sensitivity);
  return sensitivity;
}

/** The same for the name of a header. */
export function headerSensitivityOf(name: string): Sensitivity {
  const sensitivity = sensitivityOf(name);
  return sensitivity === 'open' && SECRET_HEADERS.test(name.toLowerCase()) ? 'secret' : sensitivity;
}

function classify(name: string): Sensitivity {
  const bare = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (SECRET_NAMES.has(bare) || SECRET_PARTS.test(bare) || SECRET_ENDS.test(bare)) return 'secret';
  if (SECRET_TEXTS.has(bare)) return 'secret-text';
  return PERSONAL_NAMES.has(bare) || PERSONAL_ENDS.test(bare) ? 'personal' : 'open';
}
