/** Tables as in `expected-transitions.ts`, of situations that a status alone does not tell. */

/** The same status means different things while a POST is in doubt, is to be repeated, or is answered but pending. */
export const byOpenStep = `
event                  | capture in doubt            | capture to be repeated      | capture pending | capture under review        | unseen capture under review | other amount under review
paymentCreated         | -                           | -                           | -               | -                           | -                           | -
authorizationGranted   | -                           | -                           | -               | -                           | -                           | -
saleAnswered           | -                           | -                           | -               | -                           | -                           | -
stepDeclined           | partially_captured +observe | partially_captured +observe | -               | partially_captured +observe | -                           | -
approvalFoundMissing   | partially_captured +observe | partially_captured +observe | -               | partially_captured +observe | -                           | -
captureAnswered        | captured                    | captured                    | =               | captured                    | captured                    | -
voidConfirmed          | -                           | -                           | -               | -                           | -                           | -
authorizationRenewed   | -                           | -                           | -               | -                           | -                           | -
reauthorizationTooSoon | -                           | -                           | -               | -                           | -                           | -
stepDeferred           | =                           | =                           | -               | capturing                   | -                           | -
outcomeUnknown         | =                           | =                           | -               | =                           | -                           | -
stepProvedUndone       | = +perform                  | = +perform                  | -               | capturing +perform          | -                           | -
lookInconclusive       | =                           | -                           | -               | =                           | -                           | -
providerObserved       | -                           | -                           | -               | -                           | -                           | conflict
observationFailed      | -                           | -                           | -               | -                           | -                           | -
decisionRefused        | -                           | -                           | -               | refused                     | refused                     | refused
stepDecidedUndone      | -                           | -                           | -               | partially_captured +observe | expired                     | -
payerApproved          | -                           | -                           | -               | -                           | -                           | -
payerCancelled         | -                           | -                           | -               | -                           | -                           | -
captureRequested       | refused                     | refused                     | refused         | refused                     | refused                     | refused
voidRequested          | refused                     | refused                     | refused         | refused                     | refused                     | refused
releaseRequested       | refused                     | refused                     | refused         | refused                     | refused                     | refused
reauthorizeRequested   | refused                     | refused                     | refused         | refused                     | refused                     | refused
cancelRequested        | refused                     | refused                     | refused         | refused                     | refused                     | refused
reviewDecided          | refused                     | refused                     | refused         | = +verifyDecision           | = +verifyDecision           | refused
providerNotified       | = +lookUp                   | -                           | = +observe      | = +lookUp                   | = +observe                  | = +observe
approvalTimedOut       | -                           | -                           | -               | -                           | -                           | -
captureCameDue         | -                           | -                           | -               | -                           | -                           | -
honourPeriodNearedEnd  | -                           | -                           | -               | -                           | -                           | -
honourCaptureCameDue   | -                           | -                           | -               | -                           | -                           | -
honourPeriodEnded      | -                           | -                           | -               | -                           | -                           | -
reauthorizationCameDue | -                           | -                           | -               | -                           | -                           | -
captureWindowNearedEnd | -                           | -                           | -               | -                           | -                           | -
settlementCameDue      | -                           | -                           | -               | -                           | -                           | -
authorizationLapsed    | -                           | -                           | -               | -                           | -                           | -
stepCameDue            | = +lookUp                   | = +perform                  | -               | = +lookUp                   | -                           | -
reviewCameDue          | needs_review                | -                           | -               | -                           | -                           | -
pollCameDue            | = +observe                  | = +observe                  | = +observe      | = +observe                  | = +observe                  | = +observe
`;

export const byReauthorization = `
event                  | held for 4 days        | part captured after 4 days | reauthorizing               | reauthorization in doubt    | reauthorization to be repeated | reauthorization under review
paymentCreated         | -                      | -                          | -                           | -                           | -                              | -
authorizationGranted   | -                      | -                          | -                           | -                           | -                              | -
saleAnswered           | -                      | -                          | -                           | -                           | -                              | -
stepDeclined           | -                      | -                          | partially_captured +observe | partially_captured +observe | partially_captured +observe    | partially_captured +observe
approvalFoundMissing   | -                      | -                          | partially_captured +observe | partially_captured +observe | partially_captured +observe    | partially_captured +observe
captureAnswered        | -                      | -                          | -                           | -                           | -                              | -
voidConfirmed          | -                      | -                          | -                           | -                           | -                              | -
authorizationRenewed   | -                      | -                          | partially_captured          | partially_captured          | partially_captured             | partially_captured
reauthorizationTooSoon | -                      | -                          | partially_captured          | partially_captured          | partially_captured             | partially_captured
stepDeferred           | -                      | -                          | =                           | =                           | =                              | reauthorizing
outcomeUnknown         | -                      | -                          | =                           | =                           | =                              | =
stepProvedUndone       | -                      | -                          | = +perform                  | = +perform                  | = +perform                     | reauthorizing +perform
lookInconclusive       | -                      | -                          | -                           | =                           | -                              | =
providerObserved       | -                      | -                          | -                           | -                           | -                              | -
observationFailed      | =                      | =                          | -                           | -                           | -                              | -
decisionRefused        | -                      | -                          | -                           | -                           | -                              | refused
stepDecidedUndone      | -                      | -                          | -                           | -                           | -                              | partially_captured +observe
payerApproved          | -                      | -                          | -                           | -                           | -                              | -
payerCancelled         | -                      | -                          | -                           | -                           | -                              | -
captureRequested       | capturing +perform     | capturing +perform         | refused                     | refused                     | refused                        | refused
voidRequested          | voiding +perform       | voiding +perform           | refused                     | refused                     | refused                        | refused
releaseRequested       | refused                | voiding +perform           | refused                     | refused                     | refused                        | refused
reauthorizeRequested   | reauthorizing +perform | reauthorizing +perform     | refused                     | refused                     | refused                        | refused
cancelRequested        | refused                | refused                    | refused                     | refused                     | refused                        | refused
reviewDecided          | refused                | refused                    | refused                     | refused                     | refused                        | = +verifyDecision
providerNotified       | = +observe             | = +observe                 | -                           | = +lookUp                   | -                              | = +lookUp
approvalTimedOut       | -                      | -                          | -                           | -                           | -                              | -
captureCameDue         | capturing +perform     | capturing +perform         | -                           | -                           | -                              | -
honourPeriodNearedEnd  | =                      | =                          | -                           | -                           | -                              | -
honourCaptureCameDue   | capturing +perform     | capturing +perform         | -                           | -                           | -                              | -
honourPeriodEnded      | =                      | =                          | -                           | -                           | -                              | -
reauthorizationCameDue | reauthorizing +perform | reauthorizing +perform     | -                           | -                           | -                              | -
captureWindowNearedEnd | =                      | =                          | -                           | -                           | -                              | -
settlementCameDue      | voiding +perform       | voiding +perform           | -                           | -                           | -                              | -
authorizationLapsed    | = +observe             | = +observe                 | -                           | -                           | -                              | -
stepCameDue            | -                      | -                          | -                           | = +lookUp                   | = +perform                     | = +lookUp
reviewCameDue          | -                      | -                          | -                           | needs_review                | -                              | -
pollCameDue            | = +observe             | = +observe                 | -                           | -                           | -                              | = +observe
`;

/** What a pending capture leaves of the hold, in orders with `holdsRest`. */
export const besidePending = `
event                  | rest beside a pending capture | all or the final part pending | hold over beside a pending capture
paymentCreated         | -                             | -                             | -
authorizationGranted   | -                             | -                             | -
saleAnswered           | -                             | -                             | -
stepDeclined           | -                             | -                             | -
approvalFoundMissing   | -                             | -                             | -
captureAnswered        | =                             | =                             | =
voidConfirmed          | -                             | -                             | -
authorizationRenewed   | -                             | -                             | -
reauthorizationTooSoon | -                             | -                             | -
stepDeferred           | -                             | -                             | -
outcomeUnknown         | -                             | -                             | -
stepProvedUndone       | -                             | -                             | -
lookInconclusive       | -                             | -                             | -
providerObserved       | -                             | -                             | -
observationFailed      | -                             | -                             | -
decisionRefused        | -                             | -                             | -
stepDecidedUndone      | -                             | -                             | -
payerApproved          | -                             | -                             | -
payerCancelled         | -                             | -                             | -
captureRequested       | = +perform                    | refused                       | refused
voidRequested          | voiding +perform              | refused                       | refused
releaseRequested       | voiding +perform              | refused                       | refused
reauthorizeRequested   | refused                       | refused                       | refused
cancelRequested        | refused                       | refused                       | refused
reviewDecided          | refused                       | refused                       | refused
providerNotified       | = +observe                    | = +observe                    | = +observe
approvalTimedOut       | -                             | -                             | -
captureCameDue         | = +perform                    | -                             | -
honourPeriodNearedEnd  | =                             | -                             | -
honourCaptureCameDue   | = +perform                    | -                             | -
honourPeriodEnded      | =                             | -                             | -
reauthorizationCameDue | -                             | -                             | -
captureWindowNearedEnd | =                             | -                             | -
settlementCameDue      | voiding +perform              | -                             | -
authorizationLapsed    | = +observe                    | -                             | -
stepCameDue            | -                             | -                             | -
reviewCameDue          | -                             | -                             | -
pollCameDue            | = +observe                    | = +observe                    | = +observe
`;
