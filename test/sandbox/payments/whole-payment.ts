/** A payment with every field of the public API. */

export const ADDRESS = {
  recipient_name: 'Betsy Buyer',
  line1: '111 First Street',
  line2: 'Unit 34',
  city: 'Saratoga',
  state: 'CA',
  postal_code: '95070',
  country_code: 'US',
  phone: '011862212345678',
};

export const ITEMS = [
  {
    name: 'bowling',
    description: 'Shirt',
    quantity: '5',
    price: '3.00',
    tax: '0.01',
    sku: '1',
    currency: 'USD',
  },
  { name: 'mesh', quantity: '1', price: '17.00', tax: '0.02', sku: 'product34', currency: 'USD' },
  { name: 'discount', quantity: '1', price: '-2.00', sku: 'product', currency: 'USD' },
];

export const TRANSACTION = {
  amount: {
    total: '32.07',
    currency: 'USD',
    details: {
      subtotal: '30.00',
      tax: '0.07',
      shipping: '1.00',
      handling_fee: '1.00',
      insurance: '1.00',
      shipping_discount: '1.00',
    },
  },
  reference_id: 'unit-1',
  description: 'The payment transaction descriptiön.',
  note_to_payee: 'Ship soon',
  custom: 'EBAY_EMS_90048630024435',
  invoice_number: '48787589677',
  soft_descriptor: 'ECHI5786786',
  payment_options: { allowed_payment_method: 'INSTANT_FUNDING_SOURCE' },
  item_list: {
    items: ITEMS,
    shipping_address: ADDRESS,
    shipping_method: 'USPS Parcel',
    shipping_phone_number: '+14085551234',
  },
  notify_url: 'https://shop.example/notify',
  order_url: 'https://shop.example/orders/7',
};

export const PAYMENT = {
  payer: {
    payment_method: 'paypal',
    payer_info: {
      email: 'buyer@example.com',
      first_name: 'Betsy',
      last_name: 'Buyer',
      tax_id: 'Fh618775690',
      tax_id_type: 'BR_CPF',
      birth_date: '1990-04-12',
      billing_address: { line1: '1 Main St', country_code: 'BR' },
    },
  },
  note_to_payer: 'Contact us for any questions on your order.',
  experience_profile_id: 'XP-CSN2-6C6Y-XUF9-7UFA',
  application_context: {
    brand_name: 'Tea House',
    locale: 'en_US',
    landing_page: 'Login',
    shipping_preference: 'SET_PROVIDED_ADDRESS',
    user_action: 'commit',
    payment_pattern: 'CUSTOMER_PRESENT_ONETIME_PURCHASE',
  },
};
