const RETURN = { return_url: 'http://127.0.0.1:9/return', cancel_url: 'http://127.0.0.1:9/cancel' };

/** Every field that the public client’s own examples send for a payment out of a wallet. */
export const WALLET_ORDER = {
  intent: 'sale',
  redirect_urls: RETURN,
  payer: { payment_method: 'paypal', payer_info: { tax_id_type: 'BR_CPF', tax_id: 'Fh618775690' } },
  transactions: [
    {
      amount: {
        total: '32.07',
        currency: 'USD',
        details: {
          subtotal: '30.00',
          tax: '0.07',
          shipping: '1.00',
          handling_fee: '1.00',
          shipping_discount: '1.00',
          insurance: '1.00',
        },
      },
      description: 'Bowling things ö',
      custom: 'custom-9004863',
      invoice_number: '48787589677',
      payment_options: { allowed_payment_method: 'INSTANT_FUNDING_SOURCE' },
      soft_descriptor: 'ECHI5786786',
      item_list: {
        items: [
          {
            name: 'bowling',
            description: 'Shirt',
            quantity: '5',
            price: '3',
            tax: '0.01',
            sku: '1',
            currency: 'USD',
          },
          { name: 'mesh', quantity: '1', price: '17', tax: '0.02', sku: 'product34', currency: 'USD' },
          { name: 'discount', quantity: '1', price: '-2.00', sku: 'product', currency: 'USD' },
        ],
        shipping_address: {
          recipient_name: 'Betsy Buyer',
          line1: '111 First Street',
          city: 'Saratoga',
          country_code: 'US',
          postal_code: '95070',
          state: 'CA',
        },
      },
    },
  ],
};
