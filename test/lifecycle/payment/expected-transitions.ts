/**
 * What every state makes of every event. A cell says where the payment then stands and what is done next:
 * `authorized`, `authorized +observe`; `= +lookUp` stays where it is; `=` alone changes something but not the status.
 * `-` told nothing new, `refused` answers a request, `conflict` is recorded against what is known.
 */
export const beforeTheHold = `
event                  | creating          | awaiting_approval    | authorizing
paymentCreated         | awaiting_approval | -                    | awaiting_approval
authorizationGranted   | authorized        | -                    | authorized
saleAnswered           | completed         | -                    | -
stepDeclined           | declined          | -                    | declined
approvalFoundMissing   | declined          | -                    | awaiting_approval
captureAnswered        | -                 | -                    | -
voidConfirmed          | -                 | -                    | -
authorizationRenewed   | -                 | -                    | -
reauthorizationTooSoon | -                 | -                    | -
stepDeferred           | =                 | -                    | =
outcomeUnknown         | =                 | -                    | =
stepProvedUndone       | = +perform        | -                    | = +perform
lookInconclusive       | -                 | -                    | -
providerObserved       | -                 | authorized           | -
observationFailed      | -                 | -                    | -
decisionRefused        | -                 | -                    | -
stepDecidedUndone      | -                 | -                    | -
payerApproved          | -                 | authorizing +perform | -
payerCancelled         | -                 | cancelled            | -
captureRequested       | refused           | refused              | refused
voidRequested          | refused           | refused              | refused
releaseRequested       | refused           | refused              | refused
reauthorizeRequested   | refused           | refused              | refused
cancelRequested        | refused           | cancelled            | refused
reviewDecided          | refused           | refused              | refused
providerNotified       | -                 | = +observe           | -
approvalTimedOut       | -                 | = +observe           | -
captureCameDue         | -                 | -                    | -
honourPeriodNearedEnd  | -                 | -                    | -
honourCaptureCameDue   | -                 | -                    | -
honourPeriodEnded      | -                 | -                    | -
reauthorizationCameDue | -                 | -                    | -
captureWindowNearedEnd | -                 | -                    | -
settlementCameDue      | -                 | -                    | -
authorizationLapsed    | -                 | -                    | -
stepCameDue            | -                 | -                    | -
reviewCameDue          | -                 | -                    | -
pollCameDue            | -                 | = +observe           | -
`;

export const whileFundsAreHeld = `
event                  | authorized         | capturing                   | partially_captured | voiding
paymentCreated         | -                  | -                           | -                  | -
authorizationGranted   | -                  | -                           | -                  | -
saleAnswered           | -                  | -                           | -                  | -
stepDeclined           | -                  | partially_captured +observe | -                  | authorized +observe
approvalFoundMissing   | -                  | partially_captured +observe | -                  | authorized +observe
captureAnswered        | -                  | captured                    | -                  | -
voidConfirmed          | -                  | -                           | -                  | voided
authorizationRenewed   | -                  | -                           | -                  | -
reauthorizationTooSoon | -                  | -                           | -                  | -
stepDeferred           | -                  | =                           | -                  | =
outcomeUnknown         | -                  | =                           | -                  | =
stepProvedUndone       | -                  | = +perform                  | -                  | = +perform
lookInconclusive       | -                  | -                           | -                  | -
providerObserved       | -                  | -                           | -                  | -
observationFailed      | =                  | -                           | =                  | -
decisionRefused        | -                  | -                           | -                  | -
stepDecidedUndone      | -                  | -                           | -                  | -
payerApproved          | -                  | -                           | -                  | -
payerCancelled         | -                  | -                           | -                  | -
captureRequested       | capturing +perform | refused                     | capturing +perform | refused
voidRequested          | voiding +perform   | refused                     | voiding +perform   | refused
releaseRequested       | refused            | refused                     | voiding +perform   | refused
reauthorizeRequested   | refused            | refused                     | refused            | refused
cancelRequested        | refused            | refused                     | refused            | refused
reviewDecided          | refused            | refused                     | refused            | refused
providerNotified       | = +observe         | -                           | = +observe         | -
approvalTimedOut       | -                  | -                           | -                  | -
captureCameDue         | capturing +perform | -                           | capturing +perform | -
honourPeriodNearedEnd  | =                  | -                           | =                  | -
honourCaptureCameDue   | capturing +perform | -                           | capturing +perform | -
honourPeriodEnded      | =                  | -                           | =                  | -
reauthorizationCameDue | =                  | -                           | =            | -
captureWindowNearedEnd | =                  | -                           | =                  | -
settlementCameDue      | voiding +perform   | -                           | voiding +perform   | -
authorizationLapsed    | = +observe         | -                           | = +observe         | -
stepCameDue            | -                  | -                           | -                  | -
reviewCameDue          | -                  | -                           | -                  | -
pollCameDue            | = +observe         | = +observe                  | = +observe         | -
`;

export const ended = `
event                  | captured | voided  | declined | cancelled | expired
paymentCreated         | -        | -       | -        | -         | -
authorizationGranted   | -        | -       | -        | -         | -
saleAnswered           | -        | -       | -        | -         | -
stepDeclined           | -        | -       | -        | -         | -
approvalFoundMissing   | -        | -       | -        | -         | -
captureAnswered        | -        | -       | -        | -         | -
voidConfirmed          | -        | -       | -        | -         | -
authorizationRenewed   | -        | -       | -        | -         | -
reauthorizationTooSoon | -        | -       | -        | -         | -
stepDeferred           | -        | -       | -        | -         | -
outcomeUnknown         | -        | -       | -        | -         | -
stepProvedUndone       | -        | -       | -        | -         | -
lookInconclusive       | -        | -       | -        | -         | -
providerObserved       | conflict | -       | -        | -         | -
observationFailed      | -        | -       | -        | -         | -
decisionRefused        | -        | -       | -        | -         | -
stepDecidedUndone      | -        | -       | -        | -         | -
payerApproved          | -        | -       | -        | -         | -
payerCancelled         | -        | -       | -        | -         | -
captureRequested       | refused  | refused | refused  | refused   | refused
voidRequested          | refused  | refused | refused  | refused   | refused
releaseRequested       | refused  | refused | refused  | refused   | refused
reauthorizeRequested   | refused  | refused | refused  | refused   | refused
cancelRequested        | refused  | refused | refused  | refused   | refused
reviewDecided          | refused  | refused | refused  | refused   | refused
providerNotified       | -        | -       | -        | -         | -
approvalTimedOut       | -        | -       | -        | -         | -
captureCameDue         | -        | -       | -        | -         | -
honourPeriodNearedEnd  | -        | -       | -        | -         | -
honourCaptureCameDue   | -        | -       | -        | -         | -
honourPeriodEnded      | -        | -       | -        | -         | -
reauthorizationCameDue | -        | -       | -        | -         | -
captureWindowNearedEnd | -        | -       | -        | -         | -
settlementCameDue      | -        | -       | -        | -         | -
authorizationLapsed    | -        | -       | -        | -         | -
stepCameDue            | -        | -       | -        | -         | -
reviewCameDue          | -        | -       | -        | -         | -
pollCameDue            | -        | -       | -        | -         | -
`;

export const ofSale = `
event                  | sale being created | executing                   | execution in doubt | execution under review | pending    | other amount of a sale under review | completed
paymentCreated         | awaiting_approval  | awaiting_approval           | awaiting_approval  | awaiting_approval      | -          | -                                   | -
authorizationGranted   | authorized         | -                           | -                  | -                      | -          | -                                   | -
saleAnswered           | completed          | completed                   | completed          | completed              | -          | -                                   | -
stepDeclined           | declined           | declined                    | declined           | declined               | -          | -                                   | -
approvalFoundMissing   | declined           | awaiting_approval           | awaiting_approval  | awaiting_approval      | -          | -                                   | -
captureAnswered        | -                  | -                           | -                  | -                      | -          | -                                   | -
voidConfirmed          | -                  | -                           | -                  | -                      | -          | -                                   | -
authorizationRenewed   | -                  | -                           | -                  | -                      | -          | -                                   | -
reauthorizationTooSoon | -                  | -                           | -                  | -                      | -          | -                                   | -
stepDeferred           | =                  | =                           | =                  | executing              | -          | -                                   | -
outcomeUnknown         | =                  | =                           | =                  | =                      | -          | -                                   | -
stepProvedUndone       | = +perform         | = +perform                  | = +perform         | executing +perform     | -          | -                                   | -
lookInconclusive       | -                  | -                           | =                  | =                      | -          | -                                   | -
providerObserved       | -                  | -                           | -                  | -                      | -          | -                                   | -
observationFailed      | -                  | -                           | -                  | -                      | -          | -                                   | -
decisionRefused        | -                  | -                           | -                  | refused                | -          | refused                             | -
stepDecidedUndone      | -                  | -                           | -                  | declined               | -          | -                                   | -
payerApproved          | -                  | -                           | -                  | -                      | -          | -                                   | -
payerCancelled         | -                  | -                           | -                  | -                      | -          | -                                   | -
captureRequested       | refused            | refused                     | refused            | refused                | refused    | refused                             | refused
voidRequested          | refused            | refused                     | refused            | refused                | refused    | refused                             | refused
releaseRequested       | refused            | refused                     | refused            | refused                | refused    | refused                             | refused
reauthorizeRequested   | refused            | refused                     | refused            | refused                | refused    | refused                             | refused
cancelRequested        | refused            | refused                     | refused            | refused                | refused    | refused                             | refused
reviewDecided          | refused            | refused                     | refused            | = +verifyDecision      | refused    | refused                             | refused
providerNotified       | -                  | -                           | = +lookUp          | = +lookUp              | = +observe | = +observe                          | -
approvalTimedOut       | -                  | -                           | -                  | -                      | -          | -                                   | -
captureCameDue         | -                  | -                           | -                  | -                      | -          | -                                   | -
honourPeriodNearedEnd  | -                  | -                           | -                  | -                      | -          | -                                   | -
honourCaptureCameDue   | -                  | -                           | -                  | -                      | -          | -                                   | -
honourPeriodEnded      | -                  | -                           | -                  | -                      | -          | -                                   | -
reauthorizationCameDue | -                  | -                           | -                  | -                      | -          | -                                   | -
captureWindowNearedEnd | -                  | -                           | -                  | -                      | -          | -                                   | -
settlementCameDue      | -                  | -                           | -                  | -                      | -          | -                                   | -
authorizationLapsed    | -                  | -                           | -                  | -                      | -          | -                                   | -
stepCameDue            | -                  | -                           | = +lookUp          | = +lookUp              | -          | -                                   | -
reviewCameDue          | -                  | -                           | needs_review       | -                      | -          | -                                   | -
pollCameDue            | -                  | -                           | -                  | = +observe             | = +observe | = +observe                          | -
`;
